// What graphzsl gives both of Neo4j's Browsers before they start: settings, a style, and saved
// statements. Each once for every version of it, so that what a user changes stays changed.
(function () {
  const own = "OWN";
  const read = (name, missing) => {
    try {
      return JSON.parse(localStorage.getItem(name)) || missing;
    } catch {
      return missing;
    }
  };
  const write = (name, value) => localStorage.setItem(name, JSON.stringify(value));
  const folder = own.saved.folder.id;
  const others = (items) => items.filter(({ id = "" }) => !id.startsWith(`${folder}-`));

  // the newer Browser stores each field as a text of its own
  const change = (name, field, missing, changed) => {
    const fields = read(name, { _persist: JSON.stringify({ version: 1, rehydrated: true }) });
    const before = field in fields ? JSON.parse(fields[field]) : missing;
    write(name, { ...fields, [field]: JSON.stringify(changed(before)) });
  };

  const given = read("graphzsl", {});
  if (given.look !== own.versions.look) {
    write("neo4j.settings", { ...read("neo4j.settings", {}), ...own.look.settings });
    write("neo4j.grass", own.look.style);
  }
  // it forgets the order of labels, of which the first one's style counts, and with it the styles
  const labels = own.look.labels;
  change("nx.v1.nx.graphStyling", "stylingPriorityOrder", [], () => Object.keys(labels));
  const restyle = (field, styles) =>
    change("nx.v1.nx.graphStyling", field, {}, (before) => {
      const is_kept = ([name, style]) =>
        !(name in styles) || (style.color && given.look === own.versions.look);
      const kept = Object.entries(before).filter(is_kept);
      return { ...styles, ...Object.fromEntries(kept) };
    });
  restyle("nodeStyles", labels);
  restyle("relStyles", own.look.types);
  if (given.saved !== own.versions.saved) {
    const folders = read("neo4j.folders", []).filter(({ id }) => id !== folder);
    write("neo4j.folders", [...folders, own.saved.folder]);
    const statements = own.saved.statements;
    write("neo4j.documents", [...others(read("neo4j.documents", [])), ...statements]);
    const tree = statements.map(({ id, content }, index) => ({
      ...{ id, index, depth: 1, parentId: folder, databaseId: null, description: "" },
      name: content.slice(3, content.indexOf("\n")),
      query: content,
    }));
    const top = { index: 0, depth: 0, parentId: null, databaseId: null, collapsed: false };
    change("persist:nx.v1.query.savedCypher", "flattenedSavedCypherTree", [], (before) => [
      { ...own.saved.folder, ...top, children: [] },
      ...tree,
      ...others(before).filter(({ id }) => id !== folder),
    ]);
  }
  write("graphzsl", own.versions);
  // a click on a statement of the guide draws, not only one on its triangle
  // on a question of its first page it turns to that page, as its button does
  document.addEventListener(
    "click",
    (event) => {
      const question = event.target.closest('a[href^="#page-"]');
      if (question) {
        event.preventDefault();
        event.stopPropagation();
        for (let page = 1; page < Number(question.hash.slice(6)); page += 1) {
          document.querySelector('[data-testid="guideNextSlide"]').click();
        }
      }
      const triangle = event.target.closest("pre.runnable")?.querySelector(".fa-play-circle-o");
      if (triangle && triangle !== event.target) {
        event.stopPropagation();
        triangle.click();
      }
    },
    true,
  );
  // the panel of details covers a third of a picture, and whether it is open is nowhere stored: it
  // is closed on the first picture, and Browser then keeps it as the user leaves it
  const closing = new MutationObserver(() => {
    const button = document.querySelector('[title="Collapse the node properties display"]');
    if (button) {
      closing.disconnect();
      button.click();
    }
  });
  closing.observe(document, { childList: true, subtree: true });
})();
