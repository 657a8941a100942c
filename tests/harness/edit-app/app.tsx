// The component of the app for the tests of edit and replay: a machine, an uncontrolled field, and a machine that is
// mounted later.
import { useMachine } from '@xstate/react'
import { useState } from 'react'
import { ClockButton } from './clock-button.tsx'
import { tillMachine } from './machine.ts'

export function App() {
  const [snapshot, send] = useMachine(tillMachine)
  const [isSecond, setSecond] = useState(false)
  const { context, value } = snapshot
  // The test compares states without the page's texts.
  Object.assign(globalThis, {
    till: () => ({
      value,
      count: context.count,
      token: context.token,
      journal: context.journal.getSnapshot().context.lines,
      children: Object.keys(snapshot.children).toSorted(),
    }),
    sendTill: send,
  })
  return (
    <main>
      <p>
        Count: {context.count}, {value}
      </p>
      <button type="button" onClick={() => send({ type: 'add' })}>
        Add
      </button>
      <button type="button" onClick={() => send({ type: 'close' })}>
        Close
      </button>
      <button type="button" onClick={() => setSecond(true)}>
        Second till
      </button>
      <ClockButton />
      <label>
        Note <input />
      </label>
      {isSecond ? <Second /> : null}
    </main>
  )
}

function Second() {
  const [{ context }, send] = useMachine(tillMachine)
  return (
    <button type="button" onClick={() => send({ type: 'add' })}>
      Second: {context.count}
    </button>
  )
}
