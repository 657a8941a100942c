// `npm start` as a process that ends with the test, and what tests ask it.
import { atTestEnd } from '../harness/endings.ts'
import { Program } from './program.ts'

export interface Config {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
}

export function start(...args: string[]): Program {
  const program = new Program('scripts/start.ts', args)
  atTestEnd(() => program.signal('SIGKILL'))
  return program
}

export async function addressOf(program: Program): Promise<string> {
  const [, address] = await program.says(/Address\s+(http:\S+)[\s\S]*Stop\s+Ctrl-C/)
  return address ?? ''
}

export async function configOf(address: string): Promise<Config> {
  return (await (await fetch(`${address}/_chartroom/config`)).json()) as Config
}
