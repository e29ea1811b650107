// What graphzsl gives Neo4j Browser before it starts: settings, a style, and saved statements.
// Each once for every version of it, so that what a user changes stays changed.
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
  const others = (name, key) =>
    read(name, []).filter((item) => item[key] !== own.saved.folder.id);
  const given = read("graphzsl", {});
  if (given.look !== own.versions.look) {
    write("neo4j.settings", { ...read("neo4j.settings", {}), ...own.look.settings });
    write("neo4j.grass", own.look.style);
  }
  if (given.saved !== own.versions.saved) {
    write("neo4j.folders", [...others("neo4j.folders", "id"), own.saved.folder]);
    write("neo4j.documents", [...others("neo4j.documents", "folder"), ...own.saved.statements]);
  }
  write("graphzsl", own.versions);
})();
