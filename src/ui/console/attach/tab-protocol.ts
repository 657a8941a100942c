// What a tab of the app and the console in a window of its own say to each other, over a channel of their origin.

import type { PlaceParams } from '../model/location.ts'

/** From the app. */
export type FromApp =
  /** It is there, and answers a hello. */
  | { readonly kind: 'here' }
  /** Another recording begins, of which records follow; or what is left of one that let its oldest part go. */
  | { readonly kind: 'run'; readonly run: string; readonly isRecording: boolean; readonly dropped: number }
  /** More records, as JSON of the codec: the first of all is the header. */
  | { readonly kind: 'records'; readonly run: string; readonly at: number; readonly records: string }
  | { readonly kind: 'state'; readonly run: string; readonly isRecording: boolean }
  | { readonly kind: 'file'; readonly ask: number; readonly bytes?: Blob; readonly failure?: string }
  /** How the system is being driven: JSON of the codec, a `DriveNews`. */
  | { readonly kind: 'drive'; readonly news: string }
  /** What was asked for is done; or its way is at a step. */
  | { readonly kind: 'did'; readonly ask: number; readonly result?: string; readonly failure?: string }
  | { readonly kind: 'going'; readonly ask: number; readonly at: number }
  /** The page is left or loaded anew. */
  | { readonly kind: 'gone' }

/** From the window. */
export type FromWindow =
  | { readonly kind: 'hello' }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'save'; readonly ask: number }
  | { readonly kind: 'bookmark'; readonly note: string; readonly view: number }
  /** It wants to drive. */
  | { readonly kind: 'drive' }
  /** JSON of the codec: the name of what is to be done, and what with. */
  | { readonly kind: 'do'; readonly ask: number; readonly act: string }
  /** Goes no further on the way that was asked for. */
  | { readonly kind: 'halt'; readonly ask: number }
  /** Answers a `state`: it is still there. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'closed' }
  /** It is closed, and the console should be shown in the app again, at the place that it had. */
  | { readonly kind: 'dock'; readonly at: PlaceParams }

/** One end of the channel: says `Out`, hears `In`. */
export interface Wire<Out, In> {
  readonly say: (message: Out) => void
  readonly hear: (listener: (message: In) => void) => void
  readonly close: () => void
}

const ID = /^[\w-]{8,64}$/
const HASH = '#tab='

/** Where the console of this tab is shown, at a place. */
export function pageOf(tab: string, at: PlaceParams = {}): string {
  const search = new URLSearchParams(at)
  return `${import.meta.env.BASE_URL ?? '/'}console.html${search.size > 0 ? `?${search.toString()}` : ''}${HASH}${tab}`
}

/** The name of its window: opening it again shows the same one. */
export const windowName = (tab: string): string => `chartroom-console-${tab}`

/** The tab that a window belongs to, by its address. */
export function tabOf(hash: string): string | undefined {
  const tab = hash.startsWith(HASH) ? hash.slice(HASH.length) : ''
  return ID.test(tab) ? tab : undefined
}

/** A tab bears its id as its name, which a reload leaves. */
const NAME = 'chartroom-tab-'

/** The id that this tab bears since its console was put into a window of its own. */
function tabIdOf({ name }: Pick<Window, 'name'>): string | undefined {
  const id = name.startsWith(NAME) ? name.slice(NAME.length) : ''
  return ID.test(id) ? id : undefined
}

/** The same, given now where there was none. A tab that others named keeps that name until it is loaded anew. */
export function giveTabId(tab: Window): string {
  const known = tabIdOf(tab)
  if (known !== undefined) return known
  const id = tab.crypto.getRandomValues(new Uint32Array(4)).join('-')
  if (tab.name === '') tab.name = `${NAME}${id}`
  return id
}

/** The channel of a tab; once it is closed, what is still said is heard by nobody. */
export function openWire<Out, In>(tab: string): Wire<Out, In> {
  const channel = new BroadcastChannel(`chartroom:console:${tab}`)
  let isOpen = true
  return {
    say: message => {
      if (isOpen) channel.postMessage(message)
    },
    hear: listener => channel.addEventListener('message', ({ data }: MessageEvent<In>) => listener(data)),
    close: () => {
      isOpen = false
      channel.close()
    },
  }
}
