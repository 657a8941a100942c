// Makes time pass a hundred times as fast, and lets the network respond or fail at random. Loaded before an
// example.

/** Permanently changes the globals of this process. */
export function hurry(random: () => number): void {
  const { setTimeout: later, setInterval: ever } = globalThis
  const faster = (ms: number | undefined) => (ms ?? 0) / 100
  globalThis.setTimeout = ((fn: () => void, ms?: number) => later(fn, faster(ms))) as typeof setTimeout
  globalThis.setInterval = ((fn: () => void, ms?: number) =>
    ever(fn, Math.max(1, faster(ms)))) as typeof setInterval
  globalThis.fetch = () =>
    random() < 0.3
      ? Promise.reject(new TypeError('no network'))
      : Promise.resolve(Response.json({ name: 'Ann', results: [{ question: 'why?' }], n: random() }))
  globalThis.alert = () => undefined
  for (const name of ['log', 'warn', 'error', 'info'] as const) console[name] = () => undefined
}
