// What runs when the page opens: evidence is unpacked when it is first looked for.

const message = document.getElementById("evidence-message");
const section = document.getElementById("evidence");
let browser = null;

/** Unpack the evidence once; resolves to the browser, or null with the reason on the page. */
function ready() {
  if (!browser) {
    const text = document.getElementById("evidence-data").textContent;
    const { readers } = document.getElementById("evidence-browser").dataset;
    browser = unpack(text).then(
      (evidence) => {
        const made = new Browser(evidence, JSON.parse(readers));
        document.getElementById("evidence-browser").hidden = false;
        message.hidden = true;
        return made;
      },
      (error) => {
        message.textContent = error.message;
        message.className = "absent";
        return null;
      },
    );
  }
  return browser;
}

/** Follow the page's address into the evidence. */
async function route(event) {
  const address = parseAddress(window.location.hash);
  if (!address) return;
  const made = await ready();
  if (!made) {
    section.scrollIntoView();
    return;
  }
  made.follow(address);
  const old = event && parseAddress(new URL(event.oldURL).hash);
  if (old) return;
  // Where list and detail stand below one another, a row's address leads to its text.
  const stacked = window.matchMedia("(max-width: 60rem)").matches;
  (address.row && stacked ? made.detail : section).scrollIntoView();
}

/** Light up what a box of a drawing of the provenance graph rests on. */
function graph(plot) {
  const edges = new Map(
    [...plot.querySelectorAll(".edge")].map((edge) => [edge.id.split("-").pop(), edge]),
  );
  plot.querySelectorAll(".node").forEach((node) => {
    const own = [...node.classList].filter((name) => name.startsWith("on-"));
    const light = (on) => () =>
      own.forEach((name) => edges.get(name.slice(3)).classList.toggle("lit", on));
    node.addEventListener("mouseenter", light(true));
    node.addEventListener("mouseleave", light(false));
    const link = node.querySelector("a"); // a listener for focus would make the box a stop itself
    link.addEventListener("focus", light(true));
    link.addEventListener("blur", light(false));
  });
}

window.addEventListener("hashchange", route);
if (window.matchMedia("(max-width: 75rem)").matches) {
  document.querySelector("nav details").open = false;
}
document.querySelectorAll(".graph svg").forEach(graph);
if ("ResizeObserver" in window) {
  for (const name of ["tables", "provenance"]) watchFrames(document.getElementById(name));
}
// The evidence is unpacked ahead of need once the page is at rest.
if (parseAddress(window.location.hash)) route(null);
else if ("IntersectionObserver" in window) {
  new IntersectionObserver((seen, watcher) => {
    if (!seen.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    ready().then((made) => made && !made.started && made.follow({ row: null, filters: {} }));
  }).observe(section);
} else ready().then((made) => made && made.follow({ row: null, filters: {} }));
