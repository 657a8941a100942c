// The contents of uploads, by the ids that machines use.

export interface Content {
  readonly blob: Blob
  readonly mime: string
  /** Distinguishes this file from others with its name and size, also across reloads. */
  readonly mark: string
}

/** Contents of uploads that may still be sent. */
export type Contents = Map<string, Content>
