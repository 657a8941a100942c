// Recordings of jobs and of other clients, shown in the console; only the most recent ones are kept.
import { Listeners } from '../../trace/index.ts'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { ChartroomClient } from '../../services/client/index.ts'
import type { ChartroomConsoleProps, ConsoleLocation, PlaceParams } from '../console/index.ts'
import { keepByClient } from '../../services/workbench/storage/index.ts'

export interface WorkRecording extends Pick<ChartroomConsoleProps, 'recording' | 'control'> {
  readonly id: string
  /** Display name in the console's recording picker. */
  readonly name: string
  /** Kept as long as the current client: recordings of other accounts' clients. */
  readonly stays?: boolean
  /** Belongs to the page that is open: the next one replaces it. */
  readonly isPage?: boolean
  /** The client that sends its requests; defaults to the current client. */
  readonly by?: ChartroomClient | undefined
  /** Console location while it is shown; defaults to the last event. */
  readonly at?: PlaceParams
  /** Shown instead of the recording until the user closes it. */
  readonly opens?: File
  /** Where the console keeps its location, which begins at `at`; defaults to memory. */
  readonly locate?: (at: PlaceParams) => ConsoleLocation
}

export interface WorkShown {
  /** Newest first. */
  readonly list: readonly WorkRecording[]
  /** Shown instead of the client's recording; undefined while the console shows the client. */
  readonly shown: WorkRecording | undefined
  /** While a console shows the past of the client's recording. */
  readonly past?: PastShown | undefined
}

export interface PastShown {
  /** Whose status is shown: that of the moment, or the live client's. */
  readonly client: ChartroomClient
  /** Rendered over the page. */
  readonly line: ReactNode
}

/** Maximum number of kept recordings, as each is held in memory completely. */
export const MOST_WORK = 12

const NONE: WorkShown = { list: [], shown: undefined }

export class WorkRecordings {
  readonly #listeners = new Listeners()
  #state = NONE
  #count = 0

  readonly state = (): WorkShown => this.#state

  readonly subscribe = this.#listeners.subscribe

  readonly add = (name: string, attached: Omit<WorkRecording, 'id' | 'name'>): void => {
    const { list, shown, past } = this.#state
    let room = MOST_WORK - 1
    const made = { ...attached, name, id: `work${++this.#count}` }
    // The shown recording is kept while it is shown.
    const others = made.isPage ? list.filter(one => !one.isPage || one.id === shown?.id) : list
    const kept = others.filter(one => one.stays === true || room-- > 0 || one.id === shown?.id)
    this.#set({ list: [made, ...kept], shown, past })
  }

  /** Shows a recording in the console; the client's own if it is not in the list. */
  readonly show = (recording: WorkRecording['recording'] | undefined, at: PlaceParams = {}): void => {
    const { list, past } = this.#state
    const found = list.find(one => one.recording === recording)
    // A new object each time, so that repeated requests show it again.
    this.#set({ list, shown: found && { ...found, at }, past })
  }

  readonly showPast = (past: PastShown | undefined): void => this.#set({ ...this.#state, past })

  #set(state: WorkShown) {
    this.#state = state
    // Jobs may start during a render.
    queueMicrotask(this.#listeners.notify)
  }
}

const recordings = keepByClient<WorkRecordings>()

/** Released with the client. */
export const workRecordings = (client: ChartroomClient): WorkRecordings =>
  recordings.of(client, 'all', () => new WorkRecordings())

/** Current recordings beside a client. */
export function useWorkRecordings(client: ChartroomClient): WorkShown {
  const { subscribe, state } = workRecordings(client)
  return useSyncExternalStore(subscribe, state)
}
