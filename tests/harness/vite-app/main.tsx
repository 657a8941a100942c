// An app for the tests of the Vite plugin: a component with a machine in strict mode, and an actor outside of React.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createActor, setup } from 'xstate'
import { LampButton } from './lamp-button.tsx'

const clock = createActor(
  setup({ types: { events: {} as { type: 'tick' } } }).createMachine({
    id: 'clock',
    initial: 'even',
    states: { even: { on: { tick: 'odd' } }, odd: { on: { tick: 'even' } } },
  }),
)
clock.start()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <LampButton />
      <button type="button" onClick={() => clock.send({ type: 'tick' })}>
        Tick
      </button>
    </StrictMode>,
  )
