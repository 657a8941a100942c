// The machine of the app for the tests of the Vite plugin, which change its first state.
import { setup } from 'xstate'

export const lampMachine = setup({ types: { events: {} as { type: 'switch' } } }).createMachine({
  id: 'lamp',
  description: 'A lamp',
  initial: 'off',
  states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
})
