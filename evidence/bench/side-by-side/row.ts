// A row of the side-by-side table: one problem that users hit, reproduced on both clients by the same code.
import type { App, Scene } from './scene.ts'

/** Measured values. */
export type Facts = Readonly<Record<string, string | number | boolean>>

export interface Row {
  /** Its number in docs/side-by-side.md. */
  readonly number: number
  /** What users hit. */
  readonly title: string
  /** Describes what is done to the client. */
  readonly done: string
  /** Runs the row with either client and returns what happened. */
  readonly live: (scene: Scene, app: App) => Promise<Facts>
  /** Describes the facts as a phrase, in the same way for both. */
  readonly format: (facts: Facts) => string
  /** Whether the outcome is fine for a user. */
  readonly isWell: (facts: Facts) => boolean
}

export interface Lived {
  readonly facts: Facts
  readonly text: string
  readonly isWell: boolean
}

export async function live(row: Row, scene: Scene, which: App['which']): Promise<Lived> {
  const facts = await scene.play(which, app => row.live(scene, app))
  return { facts, text: row.format(facts), isWell: row.isWell(facts) }
}
