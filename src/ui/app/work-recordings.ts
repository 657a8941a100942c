// What the workbench runs beside its client, each recorded on its own, for the console under the work: the last ones.
import { useSyncExternalStore } from 'react'
import type { ChartroomClient } from '../../index.ts'
import type { PlaceParams } from '../console/model/location.ts'
import type { ChartroomConsoleProps } from '../console.ts'
import { keepByClient } from './by-client.ts'
import { Listeners } from './listeners.ts'

export interface WorkRecording extends Pick<ChartroomConsoleProps, 'recording' | 'control'> {
  readonly id: string
  /** What it is, for whoever chooses among them. */
  readonly name: string
  /** It goes on as long as the client, and stays with it: the client of another account. */
  readonly stays?: boolean
  /** Whose requests it tells of; those of the client in use unless told. */
  readonly by?: ChartroomClient | undefined
  /** Where in it, while it is shown; at its last moment unless told. */
  readonly at?: PlaceParams
}

export interface WorkShown {
  /** Newest first. */
  readonly list: readonly WorkRecording[]
  /** In the client's place; undefined while the console shows the client. */
  readonly shown: WorkRecording | undefined
}

/** So many are looked back at; each holds its whole recording. */
export const MOST_WORK = 12

const NONE: WorkShown = { list: [], shown: undefined }

export class WorkRecordings {
  readonly #listeners = new Listeners()
  #state = NONE
  #count = 0

  readonly state = (): WorkShown => this.#state

  readonly subscribe = this.#listeners.subscribe

  readonly add = (name: string, attached: Omit<WorkRecording, 'id' | 'name'>): void => {
    const { list, shown } = this.#state
    let room = MOST_WORK - 1
    const made = { ...attached, name, id: `work${++this.#count}` }
    // The one that is looked at stays as long as it is.
    const kept = list.filter(one => one.stays === true || room-- > 0 || one.id === shown?.id)
    this.#set({ list: [made, ...kept], shown })
  }

  /** In the console, in the client's place; the client itself where there is no such one. */
  readonly show = (recording: WorkRecording['recording'] | undefined, at: PlaceParams = {}): void => {
    const { list } = this.#state
    const found = list.find(one => one.recording === recording)
    // Another object each time: who asks again wants to see it again.
    this.#set({ list, shown: found && { ...found, at } })
  }

  #set(state: WorkShown) {
    this.#state = state
    // Work may begin while a page is rendered.
    queueMicrotask(this.#listeners.tell)
  }
}

const recordings = keepByClient<WorkRecordings>()

/** They go with their client. */
export const workRecordings = (client: ChartroomClient): WorkRecordings =>
  recordings.of(client, 'all', () => new WorkRecordings())

/** Those beside a client, as they are now. */
export function useWorkRecordings(client: ChartroomClient): WorkShown {
  const { subscribe, state } = workRecordings(client)
  return useSyncExternalStore(subscribe, state)
}
