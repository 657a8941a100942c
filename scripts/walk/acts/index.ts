// The acts of the walk, in order: each opens its own page and can be walked alone.
import type { Product } from '../product.ts'
import type { Stage } from '../stage.ts'
import { docked, phone } from './console.ts'
import { access, table, tools } from './data.ts'
import { failures } from './faults.ts'
import { keyboard } from './keyboard.ts'
import { account, connections, files, functions, realtime } from './sections.ts'
import { newcomers, secondFactor, signInForms } from './sign-in.ts'

export type Act = (stage: Stage, product: Product) => Promise<void>

export const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['keyboard', keyboard],
  ['sign-in', signInForms],
  ['newcomers', newcomers],
  ['data', table],
  ['tools', tools],
  ['access', access],
  ['files', files],
  ['functions', functions],
  ['realtime', realtime],
  ['account', account],
  ['connections', connections],
  ['console', docked],
  ['phone', phone],
  ['second-factor', secondFactor],
  ['faults', failures],
])
