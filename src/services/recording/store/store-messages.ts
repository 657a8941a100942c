// Messages from a recording's writer to the store engine. Each one builds on the previous.

/** A writer's messages, in order. */
export type WriterOrder =
  | {
      readonly kind: 'begin'
      readonly id: string
      readonly system: string
      readonly startedAt: string
      readonly writer: string
    }
  | {
      readonly kind: 'segment'
      readonly id: string
      readonly number: number
      readonly at: number
      readonly isRestorable: boolean
      /** Wall-clock time, ISO 8601. */
      readonly startedAt: string
    }
  | {
      readonly kind: 'append'
      readonly id: string
      /** Complete lines, each with its line break. */
      readonly text: string
      /** Totals of the segment including these lines. */
      readonly stimuli: number
      readonly steps: number
      readonly failures: number
      /** Id of the user that an event named last, if one did. */
      readonly user: string | undefined
      /** Milliseconds since the start of the recording. */
      readonly until: number
    }
  | {
      /** Removes secrets from stored text that were recognized only after it was written. */
      readonly kind: 'hide'
      readonly id: string
      readonly secrets: readonly (readonly [secret: string, pseudonym: string])[]
    }
  | {
      /** Lines about a segment that is already written: bookmarks on its steps. */
      readonly kind: 'note'
      readonly id: string
      readonly number: number
      readonly text: string
    }
  | { readonly kind: 'end'; readonly id: string }
