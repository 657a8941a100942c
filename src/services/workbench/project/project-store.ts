// Follows the project of the embedded backend while something shows it; keeps texts that its machine does not have.
import { projectStatusMachine, type StatusEvent } from '../../../machines/workbench/project-status.ts'
import { Listeners } from '../../../trace/index.ts'
import { startMachine, type Started } from '../../runtime/index.ts'
import { parseProjectState, type ProjectState } from './project-state.ts'

export interface NewUser {
  readonly email: string
  readonly password: string
}

export interface ProjectView {
  /** The last state that was read. */
  readonly project: ProjectState | undefined
  /** The backend does not respond. */
  readonly isLost: boolean
  readonly isResetting: boolean
  /** Why the last reset failed. */
  readonly resetFailure: string | undefined
  readonly isCreatingUser: boolean
  /** Why the last user was not created. */
  readonly userFailure: string | undefined
}

/** Seconds for which the backend may wait for a change. */
const WAIT_SECONDS = 25

const NO_ANSWER = 'The backend does not respond. Is it still running?'

/** The project at a path of the page's own origin. */
export class ProjectStore {
  readonly #path: string
  readonly #machine: Started<typeof projectStatusMachine>
  readonly #listeners = new Listeners()
  /** Removed once they were sent. */
  readonly #users = new Map<number, { readonly account: NewUser; readonly onCreated: () => void }>()
  #project: ProjectState | undefined
  #resetFailure: string | undefined
  #userFailure: string | undefined
  #view: ProjectView
  #watchers = 0
  #submitted = 0

  constructor(path: string) {
    this.#path = path
    this.#machine = startMachine(projectStatusMachine, {
      readStatus: ({ input: { since }, sendBack }) => {
        const controller = new AbortController()
        void this.#read(since, controller.signal).then(event => {
          if (!controller.signal.aborted) sendBack(event)
        })
        return () => controller.abort()
      },
      // It cannot be undone by leaving, so its end is always awaited.
      resetProject: ({ sendBack }) => {
        void this.#post('/reset').then(failure => {
          this.#resetFailure = failure
          sendBack({ type: failure === undefined ? 'reset.done' : 'reset.failed' })
        })
        return () => undefined
      },
      createUser: ({ input: { user }, sendBack }) => {
        const submitted = this.#users.get(user)
        this.#users.delete(user)
        void this.#post('/users', submitted?.account).then(failure => {
          this.#userFailure = failure
          sendBack({ type: failure === undefined ? 'user.created' : 'user.refused' })
          if (failure === undefined) submitted?.onCreated()
        })
        return () => undefined
      },
    })
    this.#view = this.#derive()
    this.#machine.subscribe(() => this.#update())
  }

  readonly view = (): ProjectView => this.#view

  /** Follows the project until the last one has unsubscribed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribe = this.#listeners.subscribe(listener)
    this.#watchers += 1
    if (this.#watchers === 1) {
      document.addEventListener('visibilitychange', this.#followPage)
      this.#machine.send({ type: 'project.watched' })
      this.#followPage()
    }
    return () => {
      unsubscribe()
      this.#watchers -= 1
      if (this.#watchers > 0) return
      document.removeEventListener('visibilitychange', this.#followPage)
      this.#machine.send({ type: 'project.unwatched' })
    }
  }

  readonly reset = (): void => this.#machine.send({ type: 'reset.request' })

  readonly dismissReset = (): void => this.#machine.send({ type: 'reset.dismiss' })

  /** @param onCreated called once the user exists */
  readonly createUser = (account: NewUser, onCreated: () => void): void => {
    if (this.#view.isCreatingUser) return
    this.#submitted += 1
    this.#users.set(this.#submitted, { account, onCreated })
    this.#machine.send({ type: 'user.submit', user: this.#submitted })
  }

  readonly #followPage = () =>
    this.#machine.send({ type: document.visibilityState === 'hidden' ? 'page.hidden' : 'page.visible' })

  async #read(since: number | undefined, signal: AbortSignal): Promise<StatusEvent> {
    const query = since === undefined ? '' : `?since=${since}&wait=${WAIT_SECONDS}`
    const response = await fetch(this.#path + query, { signal, cache: 'no-store' }).catch(() => undefined)
    if (response?.status === 404) return { type: 'status.absent' }
    const project = response?.ok ? parseProjectState(await response.json().catch(() => undefined)) : undefined
    if (project === undefined) return { type: 'status.failed' }
    if (!signal.aborted) this.#project = project
    return { type: 'status.received', revision: project.revision }
  }

  /** Resolves to why it failed; undefined if it did not. */
  async #post(action: string, body?: NewUser): Promise<string | undefined> {
    const response = await fetch(this.#path + action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (response === undefined) return NO_ANSWER
    if (response.ok) return undefined
    const answer: unknown = await response.json().catch(() => undefined)
    const hasMessage = typeof answer === 'object' && answer !== null && 'message' in answer
    return hasMessage && typeof answer.message === 'string'
      ? answer.message
      : `The backend responded with ${response.status}.`
  }

  #derive(): ProjectView {
    const { status, reset, user } = this.#machine.snapshot().value
    return {
      project: this.#project,
      isLost: status === 'lost',
      isResetting: reset === 'running' || this.#project?.phase === 'resetting',
      resetFailure: reset === 'failed' ? this.#resetFailure : undefined,
      isCreatingUser: user === 'creating',
      userFailure: user === 'refused' ? this.#userFailure : undefined,
    }
  }

  #update(): void {
    this.#view = this.#derive()
    this.#listeners.notify()
  }
}

const stores = new Map<string, ProjectStore>()

/** Shared by all components that show the project. */
export function projectStoreOf(path: string): ProjectStore {
  const store = stores.get(path) ?? new ProjectStore(path)
  stores.set(path, store)
  return store
}
