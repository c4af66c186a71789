"""Links and names that lead out of a folder."""
import e2e

from . import Attack


def written_through(folder):
    suite, home = folder / "suite", folder / "home"
    suite.mkdir()
    home.mkdir()
    (suite / "suite.yml").write_text(e2e.suite(2))
    (suite / ".assay").symlink_to(home)
    e2e.expect(e2e.assay("run", "suite.yml", cwd=suite), 2, "is a link")
    return None if not list(home.iterdir()) else f"written: {list(home.iterdir())}"


ATTACKS = [Attack("a store's folder that is a link", "no writing through links", written_through)]
