// The search box: a name, a word or a wnid.

const SHOWN = 12;

function entriesOf(model) {
  const { data } = model;
  return data.wnid.map((wnid, i) => {
    const words = ((data.words && data.words[i]) || labelOf(data, i)).toLowerCase().split("; ");
    return { words, name: data.name[i].toLowerCase(), wnid: wnid.toLowerCase() };
  });
}

// 0: it is called so; 1: begins so; 2: a part of it begins so; 3: somewhere in it.
function rankOf(entry, asked) {
  const { words, name, wnid } = entry;
  if (wnid === asked || name === asked || words.includes(asked)) return 0;
  const dotted = asked.replaceAll(" ", "_");
  if (name === dotted) return 0;
  if (wnid.startsWith(asked) || words.some((word) => word.startsWith(asked))) return 1;
  if (words.some((word) => word.includes(` ${asked}`))) return 2;
  return words.some((word) => word.includes(asked)) || name.includes(dotted) ? 3 : -1;
}

function found(picture, text) {
  const asked = text.trim().toLowerCase().replaceAll("_", " ");
  if (!asked) return [];
  picture.entries ??= entriesOf(picture.model);
  const hits = [];
  picture.entries.forEach((entry, i) => {
    const rank = rankOf(entry, asked);
    if (rank >= 0 && picture.model.data.wnid[i]) hits.push([rank, picture.model.isClass(i) ? 0 : 1, i]);
  });
  hits.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return hits.map((hit) => hit[2]);
}

function searchBox(picture) {
  const [input, list, said] = [ownId("search"), ownId("found"), ownId("said")];
  let hits = [];
  let chosen = -1;
  const status = make("span", { id: said, class: "gz-hidden", role: "status" });
  const listbox = make("ul", { id: list, class: "gz-found", role: "listbox", "aria-label": "Synsets found", hidden: "" });
  const box = make("input", {
    id: input, type: "search", placeholder: "Find a name, word or wnid", autocomplete: "off",
    spellcheck: "false", role: "combobox", "aria-label": "Find a name, word or wnid",
    "aria-expanded": "false", "aria-controls": list, "aria-autocomplete": "list",
  });
  const close = () => {
    listbox.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };
  const choose = (at) => {
    if (hits[at] === undefined) return;
    box.value = picture.model.label(hits[at]);
    close();
    picture.goTo(hits[at]);
    picture.chart.focus({ preventScroll: true });
  };
  const mark = () => {
    [...listbox.children].forEach((each, at) => each.setAttribute("aria-selected", String(at === chosen)));
    const option = listbox.children[chosen];
    if (option) {
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else box.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    hits = found(picture, box.value);
    const more = hits.length - SHOWN;
    listbox.replaceChildren(...hits.slice(0, SHOWN).map((i, at) => make("li",
      { id: ownId("option"), role: "option", "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); choose(at); } },
      make("strong", {}, picture.model.label(i)), ` ${picture.model.data.name[i]} ${picture.model.data.wnid[i]}`)));
    const text = hits.length ? counted(hits.length, "synset", "synsets") : "nothing is called so in this picture";
    status.textContent = box.value.trim() ? text : "";
    if (more > 0) listbox.append(make("li", { class: "gz-rest", role: "presentation" }, `and ${whole.format(more)} more`));
    if (!hits.length) listbox.append(make("li", { class: "gz-rest", role: "presentation" }, text));
    chosen = hits.length ? 0 : -1;
    listbox.hidden = !box.value.trim();
    box.setAttribute("aria-expanded", String(!listbox.hidden));
    mark();
  };
  box.addEventListener("input", show);
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    const last = Math.min(hits.length, SHOWN) - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (listbox.hidden) show();
      else chosen = event.key === "ArrowDown" ? Math.min(last, chosen + 1) : Math.max(0, chosen - 1);
      mark();
      event.preventDefault();
    } else if (event.key === "Enter") {
      if (listbox.hidden) show();
      choose(Math.max(0, chosen));
      event.preventDefault();
    } else if (event.key === "Escape") {
      box.value = "";
      close();
      event.stopPropagation();
    }
  });
  picture.searchInput = box;
  return make("div", { class: "gz-search" }, box, listbox, status);
}
