// Finds names similar to a missing one: off by a letter or two, or part of a longer name.
import { editDistance } from '../../../trace/index.ts'

const MAX_NAMES = 5
/** A partial name counts as one wrong letter. */
const PART = 1
const SHORTEST_PART = 3

const nearness = (pattern: string, name: string): number => {
  const isPart =
    pattern.length >= SHORTEST_PART &&
    name.length >= SHORTEST_PART &&
    (name.includes(pattern) || pattern.includes(name))
  return isPart ? PART : editDistance(pattern, name)
}

/** Nearest first; empty when all names are too different. */
export const nearestNames = (pattern: string, names: readonly string[]): readonly string[] => {
  const lowered = pattern.toLowerCase()
  // A different plural takes three letters; in a short name two would leave nothing.
  const far = Math.max(1, Math.floor(lowered.length / 3))
  return names
    .map(name => ({ name, far: nearness(lowered, name.toLowerCase()) }))
    .filter(each => each.far <= far)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}

/** Splits `schema.table`, as written in SQL; undefined for a plain name. */
export const splitSchema = (
  name: string,
): { readonly schema: string; readonly table: string } | undefined => {
  const [, schema, table] = /^([^.]+)\.(.+)$/.exec(name) ?? []
  return schema === undefined || table === undefined ? undefined : { schema, table }
}
