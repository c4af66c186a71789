// What runs beside nunjucks in its realm: one environment, and the templates that it has compiled.
(() => {
  const compiledMax = 256;
  const compiled = new Map();
  const environment = new nunjucks.Environment([], { autoescape: false });
  environment.addFilter('load', (text) => JSON.parse(text));
  // Debian's package is version 3.2.3. The next one encodes backslashes, too, which is all that it changes.
  for (const name of ['escape', 'e', 'forceescape']) {
    const escape = environment.getFilter(name);
    environment.addFilter(name, (text) => {
      const escaped = escape(text);
      return escaped === text ? text : nunjucks.runtime.markSafe(String(escaped).replaceAll('\\', '&#92;'));
    });
  }
  // Chance begins anew with each template: equal ones give equal texts.
  const restartChance = () => {
    let state = 1;
    Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  };
  globalThis.setEnvironment = (variables) => {
    environment.addGlobal('env', variables);
  };
  globalThis.renderTemplate = (text, variables) => {
    let template = compiled.get(text);
    if (template === undefined) {
      if (compiled.size >= compiledMax) compiled.clear();
      template = new nunjucks.Template(text, environment, undefined, true);
      compiled.set(text, template);
    }
    restartChance();
    return template.render(variables);
  };
})();
