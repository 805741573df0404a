// The service worker: the page and its drawings come from the cache, games from the network.

const VERSION = "__VERSION__";
/** @type {string[]} */
const ASSETS = ["__ASSETS__"];
const CACHE = `cotulenh-${VERSION}`;
const KEPT = "cotulenh-positions"; // written by the page, lives longer than a version

// The types of the page know no worker.
const worker = /** @type {any} */ (self);

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", "/api/meta", ...ASSETS.filter((one) => one.startsWith("/"))]);
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  const old = names.filter((one) => one.startsWith("cotulenh-") && one !== CACHE && one !== KEPT);
  await Promise.all(old.map((one) => caches.delete(one)));
  await worker.clients.claim();
}

/** Assets carry their version in their address: what is in the cache is right for good. @param {Request} request */
async function cached(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

/** A page is asked for, and taken from the cache when nobody answers. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/")) || Response.error();
  }
}

/** Facts that hardly change: from the network, else as they were. @param {Request} request */
async function fresh(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(CACHE)).put(request, answer.clone());
    return answer;
  } catch {
    return (await caches.match(request)) || Response.error();
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => {
  // What is sent goes straight to the server: the last words of a page that is being left would
  // otherwise wait for a worker to wake, and be lost with the page.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(install());
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith(`/static/${VERSION}/`)) event.respondWith(cached(request));
  else if (/^\/(static|drawn)\//.test(pathname) || pathname === "/api/meta") {
    event.respondWith(fresh(request));
  }
});
