// The page for the mate: a sign-in form, the logbook, and a button that starts a squall.
import { useSyncExternalStore, useState, type FormEvent } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { logbookMachine } from './logbook.ts'
import type { sessionMachine } from './session.ts'
import type { watch } from './watch.ts'

export interface WatchPageProps {
  readonly actor: ActorRefFrom<typeof watch>
  /** Blocks all requests for this many milliseconds. */
  readonly onSquall: (ms: number) => void
}

const SQUALL_MS = 10_000

export function WatchPage(props: WatchPageProps) {
  const { session, logbook } = props.actor.getSnapshot().children
  return session && logbook ? <Deck {...props} session={session} logbook={logbook} /> : null
}

interface DeckProps extends WatchPageProps {
  readonly session: ActorRefFrom<typeof sessionMachine>
  readonly logbook: ActorRefFrom<typeof logbookMachine>
}

function Deck({ actor, onSquall, ...others }: DeckProps) {
  const watch = useSnapshot(actor)
  const session = useSnapshot(others.session)
  const logbook = useSnapshot(others.logbook)
  return (
    <main>
      <header>
        <h1>The watch</h1>
        <p role="status">
          {watch.matches('onWatch')
            ? `${session.context.name} is on watch.`
            : session.matches('signingIn')
              ? 'Signing in …'
              : 'Not on watch.'}
        </p>
        <button type="button" onClick={() => onSquall(SQUALL_MS)}>
          Squall: 10 s of silence
        </button>
      </header>
      {watch.matches('onWatch') ? (
        <Entries
          {...logbook.context}
          onWrite={text => actor.send({ type: 'entry.write', text })}
          onEnd={() => actor.send({ type: 'watch.end' })}
        />
      ) : (
        <Begin reason={watch.context.reason} onBegin={name => actor.send({ type: 'watch.begin', name })} />
      )}
    </main>
  )
}

interface BeginProps {
  readonly reason: string | undefined
  readonly onBegin: (name: string) => void
}

function Begin({ reason, onBegin }: BeginProps) {
  const [name, setName] = useState('Mary')
  const begin = (event: FormEvent) => {
    event.preventDefault()
    onBegin(name)
  }
  return (
    <form onSubmit={begin}>
      {reason === undefined ? null : <p role="alert">You were signed out: {reason}.</p>}
      <label>
        Name <input value={name} onChange={event => setName(event.target.value)} required />
      </label>
      <button type="submit">Begin the watch</button>
    </form>
  )
}

interface EntriesProps {
  readonly sent: readonly string[]
  readonly unsent: readonly string[]
  readonly onWrite: (text: string) => void
  readonly onEnd: () => void
}

function Entries({ sent, unsent, onWrite, onEnd }: EntriesProps) {
  const [text, setText] = useState('')
  const write = (event: FormEvent) => {
    event.preventDefault()
    onWrite(text)
    setText('')
  }
  return (
    <form onSubmit={write}>
      <label>
        Log entry <input value={text} onChange={event => setText(event.target.value)} required />
      </label>
      <button type="submit">Write</button>
      <button type="button" onClick={onEnd}>
        End the watch
      </button>
      <p>
        {sent.length} ashore, {unsent.length} waiting
      </p>
    </form>
  )
}

interface Subject<T> {
  getSnapshot(): T
  subscribe(listener: () => void): { unsubscribe(): void }
}

function useSnapshot<T>(actor: Subject<T>): T {
  return useSyncExternalStore(
    listener => {
      const { unsubscribe } = actor.subscribe(listener)
      return unsubscribe
    },
    () => actor.getSnapshot(),
  )
}
