// What a row of the side-by-side table is: one thing that users hit, done to both clients by the same code.
import type { App, Scene } from './scene.ts'

/** What was measured: plain values. */
export type Facts = Readonly<Record<string, string | number | boolean>>

export interface Row {
  /** Its place in docs/side-by-side.md. */
  readonly number: number
  /** What users hit. */
  readonly title: string
  /** What is done to the client, in words. */
  readonly done: string
  /** Lives it through with a client that may be either, and says what happened. */
  readonly live: (scene: Scene, app: App) => Promise<Facts>
  /** The facts as a phrase, the same for both. */
  readonly tell: (facts: Facts) => string
  /** Whether a user has nothing to complain of. */
  readonly isWell: (facts: Facts) => boolean
}

export interface Lived {
  readonly facts: Facts
  readonly told: string
  readonly isWell: boolean
}

export async function live(row: Row, scene: Scene, which: App['which']): Promise<Lived> {
  const facts = await scene.play(which, app => row.live(scene, app))
  return { facts, told: row.tell(facts), isWell: row.isWell(facts) }
}
