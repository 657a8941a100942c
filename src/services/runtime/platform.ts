// What some engines lack of the platform, such as React Native's, each with what replaces it.

/** Parses a URL; undefined if it is none. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** A deep copy of plain data, as in JSON. */
export const plainCopy = <Data>(data: Data): Data =>
  (globalThis as Partial<typeof globalThis>).structuredClone?.(data) ??
  (JSON.parse(JSON.stringify(data)) as Data)

/** A signal that aborts with the first of these. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const { any } = AbortSignal as Partial<typeof AbortSignal>
  if (any) return any.call(AbortSignal, [...signals])
  const first = new AbortController()
  for (const signal of signals) {
    const abort = () => first.abort(abortReason(signal))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }
  return first.signal
}

/** Why a signal was aborted. */
export const abortReason = ({ reason }: Partial<AbortSignal>): unknown =>
  reason ?? Object.assign(new Error('This operation was aborted'), { name: 'AbortError' })

/** @throws the reason of a signal that was aborted */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortReason(signal)
}
