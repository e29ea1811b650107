// What boxes are filled with: the colours of roles, or a scale that colour-blind readers can read.

// viridis at nine places (van der Walt and Smith; CC0)
const SCALE = ["#440154", "#472D7B", "#3B528B", "#2C728E", "#21918C", "#28AE80", "#5EC962", "#ADDC30", "#FDE725"];

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function mixed(one, other, share) {
  const [a, b] = [channels(one), channels(other)];
  const parts = a.map((value, at) => Math.round(value + (b[at] - value) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

function scaled(share) {
  const place = Math.max(0, Math.min(1, share)) * (SCALE.length - 1);
  const low = Math.min(Math.floor(place), SCALE.length - 2);
  return mixed(SCALE[low], SCALE[low + 1], place - low);
}

// Relative luminance (WCAG 2), by which text on a fill is dark or light.
function luminance(colour) {
  const [r, g, b] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function inkOn(colour) {
  return luminance(colour) > 0.179 ? "#16181D" : "#FFFFFF";
}

function painterOf(model, mode, dark) {
  const { data } = model;
  // what is neither learned nor asked for steps back: paler on white, darker on black
  const quiet = (colour) => (dark ? mixed(colour, "#15181E", 0.58) : mixed(colour, "#FFFFFF", 0.45));
  const roles = data.kinds.map((kind, at) =>
    at < model.classKinds && kind !== "Candidate" ? data.colours[kind] : quiet(data.colours[kind]));
  const values = model.values.get(mode);
  const unknown = quiet(data.colours[""]);
  const shareOf = (value) => {
    const [low, high] = values.domain;
    if (!values.logarithmic) return high > low ? (value - low) / (high - low) : 1;
    if (value <= 0) return 0;
    return high > low ? Math.log(value / low) / Math.log(high / low) : 1;
  };
  const ofValue = (value) => (value === null || value === undefined ? unknown : scaled(shareOf(value)));
  const kinds = data.kinds.slice(0, model.classKinds);
  return {
    roles, unknown, values,
    // a box that is drawn for what is below it alone is not one of its own role
    one: (i) => (values ? ofValue(valueOf(model, values, i)) : roles[model.kind(i) === model.leftOut ? model.classKinds : data.role[i]]),
    // many boxes in one: [share, colour] of the roles below them, or one colour of the mean
    many(list) {
      if (!values) {
        const counts = kinds.map(() => 0);
        for (const i of list) model.roles(i).forEach((count, at) => { counts[at] += count; });
        const total = counts.reduce((sum, count) => sum + count, 0);
        return counts.map((count, at) => [count / total, roles[at]]).filter(([share]) => share);
      }
      let [sum, weight] = [0, 0];
      for (const i of list) {
        if (values.mean[i] !== null) {
          sum += values.mean[i] * model.span(i);
          weight += model.span(i);
        }
      }
      return [[1, weight ? ofValue(sum / weight) : unknown]];
    },
    parts: (i) => model.roles(i).map((count, at) => [count, roles[at]]).filter(([count]) => count),
  };
}

// The value of a class; of what has other boxes at its right, a class or not, the mean of the
// classes at or below it: its box is as high as all of them.
function valueOf(model, values, i) {
  const own = values.own[i];
  return own === undefined || (model.kept[i].length && values.mean[i] !== null) ? values.mean[i] : own;
}

function legendOf(model, painter, mode, all) {
  const swatch = (colour, text) =>
    make("li", {}, make("span", { class: "gz-swatch", style: `background:${colour}` }), text);
  if (!painter.values) {
    const counts = new Array(model.data.kinds.length).fill(0);
    model.data.role.forEach((role) => { counts[role] += 1; });
    return make("ul", { class: "gz-legend", "aria-label": "Legend" },
      ...model.data.kinds.map((kind, at) => (counts[at]
        ? swatch(painter.roles[at], `${model.data.called[kind]} (${whole.format(counts[at])}${model.leftOut && (kind === model.leftOut || !kind) ? ", not drawn" : ""})`)
        : null)));
  }
  const { values } = painter;
  const [low, high] = values.domain;
  const bar = make("span", { class: "gz-scale", style: `background:linear-gradient(90deg,${SCALE.join(",")})` });
  const scale = values.logarithmic ? ", logarithmic" : "";
  const own = Object.values(values.own);
  // values beyond an end of the scale have its colour
  const least = `${own.some((value) => value < low) ? "≤ " : ""}${written(values.kind, low)}`;
  const most = `${own.some((value) => value > high) ? "≥ " : ""}${written(values.kind, high)}`;
  const without = lacking(model, mode);
  return make("ul", { class: "gz-legend", "aria-label": "Legend" },
    make("li", {}, `${values.label}${scale}: `,
      make("span", { class: "gz-ends" }, least, bar, most)),
    without && all ? swatch(painter.unknown, "no value") : null,
    without && !all ? make("li", {}, `not drawn: ${counted(without, "class", "classes")} without a value`) : null);
}
