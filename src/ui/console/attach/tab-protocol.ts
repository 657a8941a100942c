// What a tab of the app and the console in a window of its own say to each other, over a channel of their origin.

/** From the app. */
export type FromApp =
  /** It is there, and this is its recording; records that begin at 0 of each kind follow. */
  | { readonly kind: 'run'; readonly run: string; readonly isRecording: boolean }
  /** More records, as JSON of the codec: the first of all is the header. */
  | { readonly kind: 'records'; readonly run: string; readonly at: number; readonly records: string }
  | { readonly kind: 'state'; readonly run: string; readonly isRecording: boolean }
  | { readonly kind: 'file'; readonly ask: number; readonly bytes?: Blob; readonly failure?: string }
  /** The page is left or loaded anew. */
  | { readonly kind: 'gone' }

/** From the window. */
export type FromWindow =
  | { readonly kind: 'hello' }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'save'; readonly ask: number }
  | { readonly kind: 'closed' }

/** One end of the channel: says `Out`, hears `In`. */
export interface Wire<Out, In> {
  readonly say: (message: Out) => void
  readonly hear: (listener: (message: In) => void) => void
  readonly close: () => void
}

const HASH = '#tab='

/** Where the console of this tab is shown. */
export const pageOf = (tab: string): string => `/console.html${HASH}${tab}`

/** The name of its window: opening it again shows the same one. */
export const windowName = (tab: string): string => `chartroom-console-${tab}`

/** The tab that a window belongs to, by its address. */
export function tabOf(hash: string): string | undefined {
  const tab = hash.startsWith(HASH) ? hash.slice(HASH.length) : ''
  return /^[\w-]{8,64}$/.test(tab) ? tab : undefined
}

/** The channel of a tab. */
export function openWire<Out, In>(tab: string): Wire<Out, In> {
  const channel = new BroadcastChannel(`chartroom:console:${tab}`)
  return {
    say: message => channel.postMessage(message),
    hear: listener => channel.addEventListener('message', ({ data }: MessageEvent<In>) => listener(data)),
    close: () => channel.close(),
  }
}
