// A `fetch` whose calls may bring their own transport, since `fetch` has no upload progress.

type Fetch = typeof globalThis.fetch

/** Arguments of `fetch`, plus the transport. */
export interface Carried extends RequestInit {
  readonly carrier?: Fetch
}

export const carriedFetch =
  (fetch: Fetch): Fetch =>
  (input, init?: Carried) =>
    (init?.carrier ?? fetch)(input, init)
