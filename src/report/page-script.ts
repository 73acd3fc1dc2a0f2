/**
 * The page's script: it filters what is already on the page. Without the script everything is shown. It runs in the browser as it stands
 * here, allowed by its hash, and makes no requests.
 */
export const SCRIPT = `
(() => {
  const form = document.getElementById('filters');
  if (form === null) return;
  const rules = [...document.querySelectorAll('[data-kind]')].map((element) => ({
    element,
    section: element.closest('[data-part]'),
    text: '',
  }));
  const names = new Map();
  const namesIn = (section) => {
    const known = names.get(section) ?? [...section.querySelectorAll('[data-name]')].map((name) => name.textContent).join(' ');
    names.set(section, known);
    return known;
  };
  const folds = [...document.querySelectorAll('.entry > details')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const count = form.querySelector('output');
  const textOf = (rule) => (rule.text ||= (namesIn(rule.section) + ' ' + rule.element.textContent).toLowerCase());
  const print = window.matchMedia('print');
  const update = () => {
    const kinds = new Set([...form.querySelectorAll('[name=kind]:checked')].map((box) => box.value));
    const severe = form.elements.severe.checked;
    const part = form.elements.part?.value ?? '';
    const words = form.elements.text.value.toLowerCase().split(' ').filter(Boolean);
    let shown = 0;
    for (const rule of rules) {
      const { element } = rule;
      // On paper nobody sees the filters, so everything is printed.
      const fits =
        print.matches ||
        (kinds.has(element.dataset.kind) &&
          (!severe || 'severe' in element.dataset) &&
          (part === '' || rule.section.dataset.part === part) &&
          words.every((word) => textOf(rule).includes(word)));
      element.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    const filtered = shown < rules.length;
    document.body.classList.toggle('filtered', filtered);
    for (const group of groups) {
      group.hidden = filtered && group.querySelector('[data-kind]:not([hidden])') === null;
    }
    const some = shown + ' of ' + rules.length + ' changes';
    count.textContent = !filtered ? '' : shown > 0 ? some : 'No change matches. “Show all” clears the filters.';
  };
  form.hidden = false;
  form.addEventListener('input', update);
  print.addEventListener('change', update);
  form.elements.fold.addEventListener('click', ({ target }) => {
    const open = target.getAttribute('aria-pressed') === 'true';
    target.setAttribute('aria-pressed', String(!open));
    for (const fold of folds) fold.open = open;
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(update));
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const target = link && document.getElementById(link.hash.slice(1));
    if (target?.closest('[hidden]')) {
      form.reset();
      update();
    }
    const fold = target?.querySelector(':scope > details');
    if (fold) fold.open = true;
  });
  update();
})();
`;
