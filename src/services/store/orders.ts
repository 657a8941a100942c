// What whoever follows a recording tells the keeper; each order follows on the one before.

/** What a writer sends, in order. */
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
      /** Whole lines, each with its break. */
      readonly text: string
      /** What the segment holds with them. */
      readonly stimuli: number
      readonly views: number
      /** Milliseconds from the beginning of the recording. */
      readonly until: number
    }
  | {
      /** Takes secrets out of what is stored: they became known as such when it was written already. */
      readonly kind: 'hide'
      readonly id: string
      readonly secrets: readonly (readonly [secret: string, pseudonym: string])[]
    }
  | {
      /** Lines about a segment that is written already: notes on its steps. */
      readonly kind: 'note'
      readonly id: string
      readonly number: number
      readonly text: string
    }
  | { readonly kind: 'end'; readonly id: string }
