// Sorting, filtering and jumping for the report page. Everything is readable without it.
'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const one = (selector) => document.querySelector(selector);
  const terms = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text, wanted) => wanted.every((term) => text.includes(term));

  const cases = all('.case');
  const rows = all('.map.cells tbody tr');
  const rowOfCase = new Map(rows.map((row) => [row.dataset.case, row]));

  // A cell of the map opens the answer behind it; columns are numbered by rank.
  const reveal = (id) => {
    const target = document.getElementById(id);
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.localName === 'details') node.open = true;
    target.scrollIntoView({block: 'start'});
    target.querySelector('summary')?.focus({preventScroll: true});
  };
  one('.map.cells tbody')?.addEventListener('click', (event) => {
    const cell = event.target.closest('td:not(.m)');
    if (cell) reveal(`c${cell.parentElement.dataset.case}v${cell.dataset.v ?? cell.cellIndex - 1}`);
  });
  const followHash = () => { if (location.hash.length > 1) reveal(decodeURIComponent(location.hash.slice(1))); };
  addEventListener('hashchange', followHash);
  followHash();

  // Variants: rows of the ranking, columns of the maps, answers of the cases.
  const variantRows = all('.rank tbody tr');
  const choices = all('.tools select');
  const filterVariants = () => {
    const wanted = terms(one('#find-variants').value);
    const chosen = choices.filter((select) => select.value !== '');
    const hidden = new Set();
    for (const row of variantRows) {
      row.hidden = !holds(row.dataset.name.toLowerCase(), wanted) ||
        chosen.some((select) => row.dataset[select.dataset.axis] !== select.value);
      if (row.hidden) hidden.add(Number(row.dataset.v));
    }
    for (const row of all('.map tr')) {
      const cells = row.cells;
      for (let i = 1; i < cells.length; ++i) {
        if (!cells[i].classList.contains('m')) cells[i].hidden = hidden.has(i - 1);
      }
    }
    for (const answer of all('.a')) answer.hidden = hidden.has(Number(answer.id.split('v')[1]));
  };
  const searchText = new Map(cases.map((element) => {
    const parts = [element.querySelector('summary'), element.querySelector('.asked')];
    return [element, parts.map((part) => part?.textContent ?? '').join(' ').toLowerCase()];
  }));
  const filterCases = (text) => {
    const wanted = terms(text);
    for (const element of cases) {
      element.hidden = !holds(searchText.get(element), wanted);
      const row = rowOfCase.get(element.id.slice(1));
      if (row) row.hidden = element.hidden;
    }
  };
  const onInput = (selector, act) => {
    let waiting = 0;
    one(selector)?.addEventListener('input', (event) => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => act(event.target.value));
    });
  };
  onInput('#find-variants', filterVariants);
  onInput('#find-cases', filterCases);
  for (const select of choices) select.addEventListener('change', filterVariants);

  // The order of cases: as written, or the lowest mean first.
  const reorder = (elements, keyOf) => {
    const parent = elements[0]?.parentElement;
    if (!parent) return;
    elements.map((element) => [keyOf(element), element]).sort((a, b) => a[0] - b[0])
      .forEach(([, element]) => parent.append(element));
  };
  one('#hardest')?.addEventListener('click', (event) => {
    const pressed = event.currentTarget.getAttribute('aria-pressed') !== 'true';
    event.currentTarget.setAttribute('aria-pressed', pressed);
    const key = (element) => (pressed ? Number(element.dataset.mean) : 0);
    reorder(rows, key);
    reorder(cases, key);
  });
  one('#open-all')?.addEventListener('click', (event) => {
    const pressed = event.currentTarget.getAttribute('aria-pressed') !== 'true';
    event.currentTarget.setAttribute('aria-pressed', pressed);
    for (const element of cases) element.open = pressed;
  });

  // The ranking sorts by any column.
  all('.rank thead th').forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const ascending = head.getAttribute('aria-sort') === 'descending' || (!head.ariaSort && column < 2);
      all('.rank thead th').forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      const value = (row) => row.cells[column].dataset.k ?? row.cells[column].textContent;
      const compare = (a, b) => (isNaN(a) || isNaN(b) ? String(a).localeCompare(String(b)) : a - b);
      variantRows.slice().sort((a, b) => (ascending ? 1 : -1) * compare(value(a), value(b)))
        .forEach((row) => row.parentElement.append(row));
    });
  });
})();
