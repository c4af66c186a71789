// Fixture: a header outside of the rooms, which every room may include.
#pragma once
