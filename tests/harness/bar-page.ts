// An app without Chartroom's interface: a controlled machine, for tests of what the page says about it.
import { createMachine } from 'xstate'
import { attach } from '../../src/services/control/index.ts'

const { actor, control } = attach(
  createMachine({
    id: 'lamp',
    initial: 'off',
    states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
  }),
)
actor.subscribe(snapshot => {
  document.querySelector('output')?.replaceChildren(snapshot.matches('on') ? 'on' : 'off')
})
actor.start()
document.querySelector('button')?.addEventListener('click', () => actor.send({ type: 'toggle' }))

declare global {
  var lamp: { readonly control: typeof control; readonly stop: () => void }
}
globalThis.lamp = { control, stop: () => void actor.stop() }
