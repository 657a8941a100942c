// A `fetch` whose calls may bring their own way of being sent, since `fetch` can't tell how much of a body has left.

type Fetch = typeof globalThis.fetch

/** What goes to `fetch`, and by what it is carried. */
export interface Carried extends RequestInit {
  readonly carrier?: Fetch
}

export const carriedFetch =
  (fetch: Fetch): Fetch =>
  (input, init?: Carried) =>
    (init?.carrier ?? fetch)(input, init)
