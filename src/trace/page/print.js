// What is printed: the whole trace as a table instead of the panes.

const kMostPrinted = 3000;

function printedTrace(app) {
  const {trace, words} = app;
  const row = (i) =>
    el(
      "tr",
      {class: i === trace.loop ? "cycle-start" : null},
      el("td", {class: "number"}, words.position(i)),
      trace.model.timed ? el("td", {class: "number"}, words.time(trace.time(i))) : null,
      el("td", {}, words.title(i)),
      el("td", {}, i === 0 ? initialValues(app) : words.changes(i).join(", ")),
    );
  const shown = Math.min(trace.last, kMostPrinted);
  const rows = Array.from({length: shown + 1}, (_, i) => row(i));
  return el(
    "section",
    {class: "printed"},
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", {}, "step"),
          trace.model.timed ? el("th", {}, "time") : null,
          el("th", {}, "what happens"),
          el("th", {}, "what changes"),
        ),
      ),
      el("tbody", {}, ...rows),
    ),
    shown < trace.last ? el("p", {}, `The first ${kMostPrinted} of ${trace.length} steps.`) : null,
    trace.loop === undefined ? null : el("p", {}, `From step ${trace.loop + 1} on, these steps are repeated for ever.`),
  );
}

function initialValues({trace, words}) {
  const values = trace.initial.values.map((value, i) => words.assignment(i, value));
  return [...new Set(values)].slice(0, 60).join(", ") + (values.length > 60 ? ", …" : "");
}

function preparePrinting(app) {
  let printed = null;
  window.addEventListener("beforeprint", () => {
    printed = printedTrace(app);
    document.body.append(printed);
  });
  window.addEventListener("afterprint", () => printed?.remove());
}
