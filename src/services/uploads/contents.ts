// What is being uploaded: the contents by the ids that the machines know them by.

export interface Content {
  readonly blob: Blob
  readonly mime: string
  /** Tells this file from others of its name and size, however often the page is loaded. */
  readonly mark: string
}

/** Contents of uploads that may still be sent. */
export type Contents = Map<string, Content>
