// The project that the embedded backend follows: when its state is read, its reset, and the creation of its first user.
import { assign, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'

/** A local backend that restarts is back within seconds. */
const RETRY_DELAY = 1_500

/** The response to a read; the store keeps what it says. */
export type StatusEvent =
  | { readonly type: 'status.received'; readonly revision: number }
  /** The backend follows no project. */
  | { readonly type: 'status.absent' }
  /** No response, or that of a backend that starts. */
  | { readonly type: 'status.failed' }

export interface StatusInput {
  /** Waits until there is another one; undefined at first. */
  readonly since: number | undefined
}

/** The port: reads the state, at once or after its next change. */
const readStatus = port<StatusEvent, StatusInput>('readStatus')

type ResetEvent = { readonly type: 'reset.done' } | { readonly type: 'reset.failed' }

/** The port: deletes all data and applies all files; the store keeps why it failed. */
const resetProject = port<ResetEvent>('resetProject')

export interface WithUser {
  /** Under which the store keeps the email and the password. */
  readonly user: number
}

type UserEvent = { readonly type: 'user.created' } | { readonly type: 'user.refused' }

/** The port: creates a user; the store keeps why it was refused. */
const createUser = port<UserEvent, WithUser>('createUser')

export type ProjectStatusEvent =
  /** Something shows the project. */
  | { readonly type: 'project.watched' }
  | { readonly type: 'project.unwatched' }
  /** A hidden page does not keep one of the browser's few connections open. */
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.visible' }
  /** The user confirmed it. */
  | { readonly type: 'reset.request' }
  | { readonly type: 'reset.dismiss' }
  | ({ readonly type: 'user.submit' } & WithUser)

export interface ProjectStatusContext {
  /** Of the last response. */
  readonly revision: number | undefined
  readonly user: number
}

export const projectStatusMachine = setup({
  types: {
    context: {} as ProjectStatusContext,
    events: {} as ProjectStatusEvent | StatusEvent | ResetEvent | UserEvent,
  },
  actors: { readStatus, resetProject, createUser },
  delays: { retryDelay: RETRY_DELAY },
  actions: {
    setRevision: assign((_, { revision }: { readonly revision: number }) => ({ revision })),
    setUser: assign((_, { user }: WithUser) => ({ user })),
    /** A backend that was restarted counts again from zero, and may be at the same number. */
    clearRevision: assign({ revision: undefined }),
  },
}).createMachine({
  id: 'projectStatus',
  context: { revision: undefined, user: 0 },
  type: 'parallel',
  states: {
    status: {
      description: 'What is known of the project.',
      initial: 'idle',
      states: {
        idle: {
          description: 'Nothing shows the project.',
          on: { 'project.watched': 'reading' },
        },
        reading: {
          description: 'At first reads the state, then waits for its next change.',
          invoke: {
            id: 'readStatus',
            src: 'readStatus',
            input: ({ context: { revision } }) => ({ since: revision }),
          },
          on: {
            'status.received': { target: 'reading', reenter: true, actions: withEvent('setRevision') },
            'status.absent': 'absent',
            'status.failed': 'lost',
            'page.hidden': 'paused',
            'project.unwatched': 'idle',
          },
        },
        lost: {
          description: 'The backend does not respond; what was read before stays on screen.',
          entry: 'clearRevision',
          after: { retryDelay: 'reading' },
          on: { 'page.hidden': 'paused', 'project.unwatched': 'idle' },
        },
        paused: {
          description: 'The page is hidden.',
          on: { 'page.visible': 'reading', 'project.unwatched': 'idle' },
        },
        absent: {
          description: 'The backend follows no project.',
          on: { 'project.unwatched': 'idle' },
        },
      },
    },
    reset: {
      description: 'Deletes the data and applies all files.',
      initial: 'idle',
      states: {
        idle: { on: { 'reset.request': 'running' } },
        running: {
          invoke: { id: 'resetProject', src: 'resetProject' },
          on: { 'reset.done': 'idle', 'reset.failed': 'failed' },
        },
        failed: { on: { 'reset.request': 'running', 'reset.dismiss': 'idle' } },
      },
    },
    user: {
      description: 'Creates a user.',
      initial: 'idle',
      states: {
        idle: { on: { 'user.submit': { target: 'creating', actions: withEvent('setUser') } } },
        creating: {
          invoke: {
            id: 'createUser',
            src: 'createUser',
            input: ({ context: { user } }) => ({ user }),
          },
          on: { 'user.created': 'created', 'user.refused': 'refused' },
        },
        refused: { on: { 'user.submit': { target: 'creating', actions: withEvent('setUser') } } },
        created: { on: { 'user.submit': { target: 'creating', actions: withEvent('setUser') } } },
      },
    },
  },
})
