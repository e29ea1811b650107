// One picture: what is in focus and zoomed to, the keys, and the parts around the icicle.

const KEYS = "Arrow keys move (right: below, left: above), Enter zooms in, Escape back, Home to the top, / finds.";

function describe(picture, i) {
  const { model, painter } = picture;
  const { values } = painter;
  const role = model.data.called[model.kind(i)];
  const mean = values && model.kept[i].length ? "mean " : "";
  const value = values ? `, ${mean}${values.label} ${written(values.kind, valueOf(model, values, i))}` : "";
  const below = model.kept[i].length ? `, ${classesOf(model, i)} at or below` : "";
  return `${model.label(i)}, ${role}${value}${below}`;
}

function build(host) {
  const model = modelOf(JSON.parse(host.querySelector("script").textContent));
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const picture = { host, model, mode: model.data.colour, all: false, focus: model.data.focus, root: 0 };
  const item = make("div", { id: ownId("item"), role: "treeitem", class: "gz-hidden" });
  picture.item = item;
  picture.ring = draw("g", { class: "gz-ring", "aria-hidden": "true" });
  picture.svg = draw("svg", { class: "gz-icicle", width: "100%", "aria-hidden": "true" });
  picture.tip = make("div", { class: "gz-tip", hidden: "", "aria-hidden": "true" });
  picture.chart = make("div", {
    class: "gz-chart", tabindex: 0, role: "tree", "aria-label": "The hierarchy", "aria-activedescendant": item.id,
    "aria-description": KEYS,
  }, item, picture.svg, picture.tip);
  picture.crumbs = make("nav", { class: "gz-crumbs", "aria-label": "Above the zoomed synset" });
  picture.part = make("p", { class: "gz-note", hidden: "" });
  picture.details = make("section", { class: "gz-details", tabindex: 0, "aria-label": "Details of the synset in focus" });
  picture.legend = make("div", { class: "gz-legends" });
  picture.goTo = (i) => {
    picture.focus = i;
    if (model.hasPlace(i) && !model.inTree(i)) picture.showAll(true); // what is asked for is shown
    if (model.inTree(i)) picture.root = rootFor(picture, i);
    refresh(picture);
  };
  const bar = make("div", { class: "gz-bar" }, searchBox(picture), modes(picture), withoutValue(picture));
  host.append(bar, picture.crumbs, picture.part, make("div", { class: "gz-main" },
    make("div", { class: "gz-left" }, picture.chart, picture.legend), picture.details));
  if (model.data.neighbourhood) host.append(neighbourhoodPart(picture));
  host.append(make("p", { class: "gz-note gz-keys" }, KEYS));
  listen(picture);
  if (model.data.neighbourhood) listenWithoutFocus(picture);
  const paper = window.matchMedia("print"); // which is white
  const repaint = () => {
    picture.painter = painterOf(model, picture.mode, dark.matches && !paper.matches);
    picture.legend.replaceChildren(legendOf(model, picture.painter, picture.mode, picture.all));
    refresh(picture);
  };
  picture.repaint = () => {
    place(picture);
    repaint();
  };
  dark.addEventListener("change", repaint);
  paper.addEventListener("change", repaint);
  picture.painter = painterOf(model, picture.mode, dark.matches);
  const isAsked = picture.focus && model.hasPlace(picture.focus);
  place(picture);
  if (isAsked && !model.inTree(picture.focus)) picture.showAll(true);
  if (isAsked) picture.root = rootFor(picture, picture.focus);
  else if (!picture.focus && isAllChain(picture)) picture.root = picture.focus = branching(picture);
  repaint();
  let width = host.clientWidth;
  new ResizeObserver(() => {
    if (host.clientWidth !== width) {
      width = host.clientWidth;
      refresh(picture);
    }
  }).observe(host);
}

// Where the hierarchy branches first: below it no one child has nearly all of the classes. Where
// they are few, and there is room for the way to them, it has all: none is out of the first view.
const NARROW = 1000; // pixels, of which a chain of wide boxes would take most
const CHAIN = 0.7;
const FEW = 60; // classes
function branching(picture) {
  const { model } = picture;
  let at = 0;
  const isChain = model.span(0) > FEW || picture.host.clientWidth <= NARROW
    ? (child) => model.span(child) > CHAIN * model.span(at)
    : (child) => model.span(child) === model.span(0);
  for (;;) {
    const wide = model.kept[at].find(isChain);
    if (wide === undefined || !model.kept[wide].length) return at;
    at = wide;
  }
}

// Whether the boxes above the first branching would be columns that say nothing.
function isAllChain(picture) {
  return picture.host.clientWidth <= NARROW || picture.model.depth[branching(picture)] > 2;
}

// Places for what is drawn now; focus and zoom go to what is left.
function place(picture) {
  const { model } = picture;
  weigh(model, picture.mode, picture.all);
  const left = (i) => (model.hasPlace(i) ? lineage(model, i).filter(model.inTree).at(-1) : i);
  picture.root = left(picture.root);
  if (picture.drawn) picture.focus = left(picture.focus);
  picture.drawn = true;
  if (!picture.switch) return;
  picture.switch.hidden = !lacking(model, picture.mode);
  picture.switch.lastChild.textContent = model.values.has(picture.mode) ? "classes without a value" : "other candidates";
}

// A switch for the classes that are not of what is coloured by, such as other candidates.
function withoutValue(picture) {
  const { model } = picture;
  if (!["role", ...model.values.keys()].some((key) => lacking(model, key))) return null;
  const box = make("input", { type: "checkbox" });
  picture.switch = make("label", { class: "gz-all" }, box, make("span"));
  picture.showAll = (all) => {
    picture.all = box.checked = all;
    picture.repaint();
  };
  box.addEventListener("change", () => picture.showAll(box.checked));
  return picture.switch;
}

function modes(picture) {
  const { model } = picture;
  if (!model.values.size) return null;
  const roles = new Set(model.data.role.filter((role) => role < model.classKinds));
  const known = [...model.values].map(([key, values]) => [key, values.label]);
  if (roles.size > 1 || picture.mode === "role") known.unshift(["role", "role"]);
  if (known.length < 2) return null;
  const select = make("select", {}, ...known.map(([key, label]) => make("option", { value: key }, label)));
  select.value = picture.mode;
  select.addEventListener("change", () => {
    picture.mode = select.value;
    picture.repaint();
  });
  return make("label", { class: "gz-mode" }, "Colour: ", select);
}

function refresh(picture) {
  drawIcicle(picture);
  crumb(picture);
  tell(picture);
  if (picture.graph) drawNeighbourhood(picture);
}

// The focus alone has moved: nothing but the ring is drawn anew, unless it left what is shown.
function moveTo(picture, i) {
  picture.focus = i;
  const before = picture.root;
  picture.root = rootFor(picture, i);
  if (picture.root !== before) refresh(picture);
  else {
    drawRing(picture);
    tell(picture);
    if (picture.graph) drawNeighbourhood(picture);
  }
}

function zoom(picture, root, focus = root) {
  picture.root = root;
  picture.focus = focus;
  refresh(picture);
}

// Keys work before anything is focused: arrows and / on a page that has just been opened.
function listenWithoutFocus(picture) {
  document.addEventListener("keydown", (event) => {
    const active = document.activeElement;
    if (event.defaultPrevented || (active && active !== document.body)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key !== "/" && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (event.key === "/") picture.searchInput.focus();
    else {
      picture.chart.focus({ preventScroll: true });
      picture.chart.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
    }
  });
}

function listen(picture) {
  const { chart, svg, model, tip } = picture;
  chart.addEventListener("keydown", (event) => {
    const { focus, root } = picture;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const parent = model.data.parent[focus];
    const acts = {
      ArrowRight: () => model.inTree(focus) && model.kept[focus].length && moveTo(picture, model.kept[focus][0]),
      ArrowLeft: () => parent >= 0 && moveTo(picture, parent),
      ArrowDown: () => moveTo(picture, besides(model, focus, 1, root)),
      ArrowUp: () => moveTo(picture, besides(model, focus, -1, root)),
      Enter: () => enter(picture, focus),
      " ": () => enter(picture, focus),
      Escape: () => back(picture),
      Backspace: () => back(picture),
      Home: () => zoom(picture, 0),
      "/": () => picture.searchInput.focus(),
    };
    if (!acts[event.key] || (!model.inTree(focus) && event.key.startsWith("Arrow"))) return;
    acts[event.key]();
    event.preventDefault();
  });
  svg.addEventListener("click", (event) => {
    const i = synsetAt(picture, event.target, event);
    if (i >= 0) enter(picture, i);
  });
  svg.addEventListener("pointermove", (event) => {
    const i = synsetAt(picture, event.target, event);
    tip.hidden = i < 0;
    if (i < 0) return;
    tip.textContent = describe(picture, i);
    const box = chart.getBoundingClientRect();
    const x = event.clientX - box.left;
    tip.style.left = `${Math.max(0, Math.min(x + 12, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${event.clientY - box.top + 18}px`;
  });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
}

// Into a synset; out of the one that is zoomed to; a class without others below it is looked at.
function enter(picture, i) {
  const { model } = picture;
  if (i === picture.root) back(picture);
  else if (model.kept[i].length) zoom(picture, i);
  else moveTo(picture, i);
}

function back(picture) {
  const above = picture.model.data.parent[picture.root];
  if (above >= 0) zoom(picture, above, picture.root);
}

function crumb(picture) {
  const { model, root } = picture;
  const line = lineage(model, root);
  const most = picture.host.clientWidth < 560 ? 3 : 7;
  const cutOff = line.length > most ? line.length - most + 1 : 0;
  const list = make("ol", {});
  line.forEach((i, at) => {
    if (cutOff && at > 0 && at < cutOff) {
      if (at === 1) list.append(make("li", { "aria-label": `${cutOff - 1} between` }, "…"));
      return;
    }
    list.append(make("li", {}, i === root
      ? make("span", { "aria-current": "true" }, model.label(i))
      : make("button", { type: "button", onclick: () => { zoom(picture, i, root); picture.chart.focus({ preventScroll: true }); } }, model.label(i))));
  });
  picture.crumbs.replaceChildren(list);
  const [shown, all] = [model.span(root), model.span(0)];
  picture.part.hidden = shown === all;
  if (shown === all) picture.part.replaceChildren();
  else picture.part.replaceChildren(`${whole.format(shown)} of ${counted(all, "class", "classes")} are drawn, those at or below ${model.label(root)} in the tree.`,
    make("span", { class: "gz-hint" }, " Press a synset of the line above, or Home, to see the others."));
}

// What is known of the synset in focus, in words; and what a screen reader says of it.
function tell(picture) {
  const { model, focus, item, details } = picture;
  const { data } = model;
  const siblings = model.inTree(focus) && data.parent[focus] >= 0 ? model.kept[data.parent[focus]] : [focus];
  item.textContent = describe(picture, focus);
  item.setAttribute("aria-level", model.depth[focus] + 1);
  item.setAttribute("aria-setsize", siblings.length);
  item.setAttribute("aria-posinset", siblings.indexOf(focus) + 1);
  item.setAttribute("aria-selected", "true");
  if (model.kept[focus].length) item.setAttribute("aria-expanded", "true");
  else item.removeAttribute("aria-expanded");
  const rows = [];
  const row = (term, ...value) => rows.push(make("dt", {}, term), make("dd", {}, ...value));
  const role = data.kinds.indexOf(model.kind(focus));
  row("role", make("span", { class: "gz-swatch", style: `background:${picture.painter.roles[role]}` }), data.called[model.kind(focus)]);
  for (const values of model.values.values()) {
    const own = values.own[focus];
    const mean = values.mean[focus];
    if (own !== undefined) row(values.label, written(values.kind, own));
    else if (model.valued.get(values.key).has(data.role[focus])) row(values.label, "unknown");
    if (mean !== null && (own === undefined || model.kept[focus].length)) {
      row(`mean ${values.label} at or below`, written(values.kind, mean));
    }
  }
  for (const [label, of] of Object.entries(data.facts)) {
    if (of[focus] !== undefined) row(label, String(of[focus]));
  }
  if (data.closest[focus]) {
    const [hops, all, ...near] = data.closest[focus];
    const rest = all - near.length;
    const measured = data.measured ? ` (hierarchy ${data.measured})` : "";
    row(`closest training ${all === 1 ? "class" : "classes"}${measured}`, `${counted(hops, "hop", "hops")}: `, ...links(picture, near.slice(0, 3)), ...folded(picture, near.slice(3)),
      rest ? `and ${whole.format(rest)} more` : null);
  }
  if (model.down[focus].length) {
    const inTree = model.inTree(focus) ? model.roles(focus) : [];
    Object.entries(data.below).forEach(([kind, of], at) => {
      const part = inTree[at] && inTree[at] < of[focus] ? `, ${whole.format(inTree[at])} of them in the tree` : "";
      if (of[focus]) row(`${of[focus] === 1 ? data.called[kind] : plural(data.called[kind])} at or below`, whole.format(of[focus]) + part);
    });
  }
  if (model.up[focus].length) row(model.up[focus].length > 1 ? "parents" : "parent", ...links(picture, model.up[focus]));
  if (!model.inTree(focus)) row("in the tree", `no box: ${model.hasPlace(focus) ? "it is not of what is coloured by" : "all that is below it has another parent there"}`);
  const words = data.words && data.words[focus].split("; ").slice(1).join(", ");
  details.replaceChildren(
    make("h3", {}, model.label(focus)),
    make("p", { class: "gz-ids" }, [data.name[focus], data.wnid[focus]].filter((id) => id && id !== model.label(focus)).join(" · ")),
    ...(words ? [make("p", {}, `also ${words}`)] : []),
    ...(data.gloss && data.gloss[focus] ? [make("p", { class: "gz-gloss" }, data.gloss[focus])] : []),
    make("dl", {}, ...rows),
  );
}

// Those beyond the first ones, to open.
function folded(picture, synsets) {
  if (!synsets.length) return [];
  return [make("details", {}, make("summary", {}, `and ${whole.format(synsets.length)} more`), ...links(picture, synsets))];
}

function links(picture, synsets) {
  return synsets.map((i) => make("div", {}, make("button",
    { type: "button", class: "gz-link", onclick: () => picture.goTo(i) }, picture.model.label(i))));
}

function start() {
  const all = () => document.querySelectorAll(".gz-picture:not([data-drawn])").forEach((host) => {
    host.setAttribute("data-drawn", "");
    build(host);
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
}
