// The versions of the matrix, and a list of combinations in which each two of them occur together.

export const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const
export type Manager = (typeof MANAGERS)[number]

/** Version ranges, oldest first; the registry decides which version of a range is installed. */
export const AXES = {
  manager: MANAGERS,
  react: ['18', '19'],
  vitest: ['1', '3', '4', '5'],
  typescript: ['5.4', '5.9', '6', '7'],
  supabase: ['2.100.0', '2.110', '2', '3.0.0-next.29'],
} as const

export type Axis = keyof typeof AXES

export type Combination = {
  readonly [A in Axis]: (typeof AXES)[A][number]
}

/**
 * Returns combinations that contain every pair of values of two axes, far fewer than the full product: each step
 * takes the combination with the most new pairs, the first of equals.
 */
export function pairwise(): Combination[] {
  const all = product()
  const missing = new Set(all.flatMap(pairsOf))
  const chosen: Combination[] = []
  while (missing.size > 0) {
    const ranked = all.map(one => ({ one, news: pairsOf(one).filter(pair => missing.has(pair)).length }))
    const best = ranked.reduce((top, next) => (next.news > top.news ? next : top))
    chosen.push(best.one)
    for (const pair of pairsOf(best.one)) missing.delete(pair)
  }
  return chosen
}

/** Returns the name of a combination, such as "manager npm, react 18, …". */
export function labelOf(combination: Combination): string {
  return Object.entries(combination)
    .map(([axis, value]) => `${axis} ${value}`)
    .join(', ')
}

/**
 * Returns the name of the combination that was installed as these versions, in the order of the axes: of each
 * axis, the longest range with the version. Undefined if a version is in none.
 */
export function labelOfVersions(versions: readonly string[]): string | undefined {
  const parts = Object.entries(AXES).map(([axis, ranges], at) => {
    const version = versions[at] ?? ''
    const [range] = ranges
      .filter(one => version === one || version.startsWith(`${one}.`))
      .toSorted((one, other) => other.length - one.length)
    return range === undefined ? undefined : `${axis} ${range}`
  })
  return parts.includes(undefined) ? undefined : parts.join(', ')
}

function product(): Combination[] {
  return AXES.manager.flatMap(manager =>
    AXES.react.flatMap(react =>
      AXES.vitest.flatMap(vitest =>
        AXES.typescript.flatMap(typescript =>
          AXES.supabase.map(supabase => ({ manager, react, vitest, typescript, supabase })),
        ),
      ),
    ),
  )
}

function pairsOf(combination: Combination): string[] {
  const entries = Object.entries(combination).map(([axis, value]) => `${axis} ${value}`)
  return entries.flatMap((one, at) => entries.slice(at + 1).map(other => `${one}, ${other}`))
}
