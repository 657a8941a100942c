// A machine that its parent only declares, since its code may come later than that of the parent.
import { fromCallback } from 'xstate'
import { MissingPortError } from './ports.ts'

export const declared = <Machine>(name: string) =>
  fromCallback(() => {
    throw new MissingPortError(name)
  }) as unknown as Machine
