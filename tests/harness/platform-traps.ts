// Traps that report every use of the platform: loaded in a separate process, since they replace globals.

/** Names of ECMAScript, of URLs, headers and event targets: they only compute. `Date` and `Math` are trapped by method. */
const PURE = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined
  Boolean String Symbol Date Promise RegExp Error AggregateError EvalError
  RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer
  Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array
  Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap
  WeakSet WeakRef Proxy Reflect Iterator SuppressedError DisposableStack AsyncDisposableStack globalThis
  decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape SharedArrayBuffer FinalizationRegistry eval
  isFinite isNaN URL URLSearchParams Headers EventTarget atob global`.split(/\s+/),
)

/** Globals of pages, workers and other runtimes. Here they do not exist, and reading one is reported. */
const PAGE = `window self document location history navigator localStorage sessionStorage
  indexedDB caches BroadcastChannel Worker SharedWorker XMLHttpRequest WebSocket Deno
  Bun EdgeRuntime requestIdleCallback requestAnimationFrame addEventListener ethereum phantom solana
  expo nativeModuleProxy HermesInternal`.split(/\s+/)

type Method = (this: unknown, ...args: never[]) => unknown

/**
 * Sets the traps and returns the uses so far, each as `name`, and as `name()` for a method of an object that
 * the caller may have taken earlier.
 */
export function trapPlatform(): { readonly uses: () => readonly string[]; readonly reset: () => void } {
  const { stderr } = process
  const isVerbose = process.env['TRAPS'] === 'verbose'
  let used: string[] = []
  const report = (name: string) => {
    if (used.includes(name)) return
    used.push(name)
    if (isVerbose) stderr.write(`${name} ${String(new Error().stack).split('\n').slice(2, 6).join('\n')}\n`)
  }
  const method = (owner: object, name: string, label: string) => {
    const real = Reflect.get(owner, name) as unknown
    if (typeof real !== 'function') return
    const value = function (this: unknown, ...args: never[]) {
      report(label)
      return Reflect.apply(real as Method, this, args)
    }
    Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  }
  method(Math, 'random', 'Math.random()')
  method(performance, 'now', 'performance.now()')
  for (const name of ['getRandomValues', 'randomUUID']) method(crypto, name, `crypto.${name}()`)
  for (const name of ['addEventListener', 'dispatchEvent'])
    method(EventTarget.prototype, name, `EventTarget.${name}()`)
  method(process, 'hrtime', 'process.hrtime()')
  method(process, 'on', 'process.on()')
  const env = process.env
  Object.defineProperty(process, 'env', {
    get: () => {
      report('process.env')
      return env
    },
  })
  trapDate(report)
  const names = new Set([...PAGE, ...Object.getOwnPropertyNames(globalThis)])
  for (const name of names) {
    if (PURE.has(name)) continue
    let value: unknown = PAGE.includes(name) ? undefined : Reflect.get(globalThis, name)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        report(name)
        return value
      },
      set: (next: unknown) => {
        report(`${name} =`)
        value = next
      },
    })
  }
  return { uses: () => used, reset: () => void (used = []) }
}

function trapDate(report: (name: string) => void): void {
  const Real = Date
  Object.assign(globalThis, {
    Date: new Proxy(Real, {
      construct(target, args, newTarget) {
        if (args.length === 0) report('new Date()')
        return Reflect.construct(target, args, newTarget) as object
      },
      apply(target) {
        report('Date()')
        return target()
      },
      get(target, name) {
        if (name !== 'now') return Reflect.get(target, name) as unknown
        report('Date.now()')
        return () => target.now()
      },
    }),
  })
}
