// Messages between an app tab and the console in a separate window, over a same-origin channel.

import type { PlaceParams } from '../model/location.ts'
import type { SystemEntry } from './systems.ts'

/** From the app. */
export type FromApp =
  /** The app is running; also answers a hello. */
  | { readonly kind: 'here' }
  /** A new recording begins and its records follow; or the rest of one that dropped its oldest part. */
  | {
      readonly kind: 'run'
      readonly run: string
      readonly isRecording: boolean
      readonly elapsed: number
      readonly dropped: number
    }
  /** More records, as lines of a file; the very first is the header. */
  | { readonly kind: 'records'; readonly run: string; readonly at: number; readonly records: string }
  /** Sent when it changed, and repeatedly; `elapsed` is in milliseconds since the recording began. */
  | { readonly kind: 'state'; readonly run: string; readonly isRecording: boolean; readonly elapsed: number }
  | { readonly kind: 'file'; readonly ask: number; readonly bytes?: Blob; readonly failure?: string }
  /** Control state of the system: a `DriveNews` as JSON of the codec. */
  | { readonly kind: 'drive'; readonly news: string }
  /** A command is done, or its path run reached a step. */
  | { readonly kind: 'did'; readonly ask: number; readonly result?: string; readonly failure?: string }
  | { readonly kind: 'going'; readonly ask: number; readonly at: number }
  /** The user went back to now in the app. */
  | { readonly kind: 'now' }
  /** The systems of a page that has several, and the id of the one whose recording is sent. */
  | { readonly kind: 'systems'; readonly systems: readonly SystemEntry[]; readonly shown: number | undefined }
  /** The page is closing or reloading. */
  | { readonly kind: 'gone' }
  /** In place of a message that could not be read: what is wrong, as a sentence without its period. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/** From the window. */
export type FromWindow =
  | { readonly kind: 'hello' }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'save'; readonly ask: number }
  /** The window shows the moment after this step, as counted with all dropped ones; none: it follows. */
  | { readonly kind: 'moment'; readonly step?: number }
  | { readonly kind: 'bookmark'; readonly note: string; readonly step: number }
  /** Requests control. */
  | { readonly kind: 'drive' }
  /** A command's name and arguments, as JSON of the codec. */
  | { readonly kind: 'do'; readonly ask: number; readonly act: string }
  /** Stops the requested path run. */
  | { readonly kind: 'halt'; readonly ask: number }
  /** Answers a `state`: the window is still open. */
  | { readonly kind: 'alive' }
  /** Requests the recording of another system. */
  | { readonly kind: 'show'; readonly system: number }
  | { readonly kind: 'closed' }
  /** The window closed, and the app should show the console again at the same place. */
  | { readonly kind: 'dock'; readonly at: PlaceParams }

/** One end of the channel: sends `Out`, receives `In`. */
export interface Wire<Out, In> {
  readonly send: (message: Out) => void
  readonly onMessage: (listener: (message: In) => void) => void
  readonly close: () => void
}

const ID = /^[\w-]{8,64}$/
const HASH = '#tab='

/** Path of the console's page in the workbench. */
const workbenchPage = () => `${import.meta.env.BASE_URL ?? '/'}console.html`

/** Returns the URL of this tab's console window at a place. */
export function pageOf(tab: string, at: PlaceParams = {}, page = workbenchPage()): string {
  const search = new URLSearchParams(at)
  return `${page}${search.size > 0 ? `?${search.toString()}` : ''}${HASH}${tab}`
}

/** Returns the window's name: opening it again reuses the window. */
export const windowName = (tab: string): string => `chartroom-console-${tab}`

/** Returns the tab a window belongs to, from the window's address. */
export function tabOf(hash: string): string | undefined {
  const tab = hash.startsWith(HASH) ? hash.slice(HASH.length) : ''
  return ID.test(tab) ? tab : undefined
}

/** A tab carries its id as its window name, which survives reloads. */
const NAME = 'chartroom-tab-'

/** Returns the tab's id, which it has since its console was opened in a window. */
export function tabIdOf({ name }: Pick<Window, 'name'>): string | undefined {
  const id = name.startsWith(NAME) ? name.slice(NAME.length) : ''
  return ID.test(id) ? id : undefined
}

/**
 * Returns the tab's id, creating one if needed. A tab that already has a name keeps that name until it is
 * reloaded.
 */
export function giveTabId(tab: Window): string {
  const known = tabIdOf(tab)
  if (known !== undefined) return known
  const id = tab.crypto.getRandomValues(new Uint32Array(4)).join('-')
  if (tab.name === '') tab.name = `${NAME}${id}`
  return id
}

/**
 * Opens the channel of a tab; messages sent after it is closed are dropped.
 * @param read checks a message; what it does not return is ignored
 */
export function openWire<Out, In>(tab: string, read: (data: unknown) => In | undefined): Wire<Out, In> {
  const channel = new BroadcastChannel(`chartroom:console:${tab}`)
  let isOpen = true
  return {
    send: message => {
      if (isOpen) channel.postMessage(message)
    },
    onMessage: listener =>
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = read(data)
        if (message !== undefined) listener(message)
      }),
    close: () => {
      isOpen = false
      channel.close()
    },
  }
}
