// The machine of an app that installed the package.
import { createMachine } from 'xstate'

export const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
})
