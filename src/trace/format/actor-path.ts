// Actor paths: the ids of an actor and its parents, separated by slashes, without control characters.

const SPECIAL = /[%/#\p{Cc}\p{Zl}\p{Zp}]/u
const EACH_SPECIAL = /[%/#\p{Cc}\p{Zl}\p{Zp}]/gu
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Encodes an id as one segment of a path: separators and control characters as in URLs. */
export const pathSegment = (id: string): string =>
  SPECIAL.test(id) ? id.replaceAll(EACH_SPECIAL, encodeURIComponent) : id

/** The id of a segment; a segment with an invalid encoding is returned unchanged. */
export function idOfSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether a text has no control characters and line separators, which no recorder writes into a path. */
export const isActorPath = (text: string): boolean => !CONTROL.test(text)
