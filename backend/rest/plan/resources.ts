// The resources of a request as a tree: each with the filters, order and ranges that name it.
import type {
  At,
  Filter,
  LogicTree,
  OrderTerm,
  Query,
  Range,
  SelectColumn,
  SelectEmbed,
} from '../request/index.ts'
import { RestError } from '../rest-error.ts'

export interface Resource {
  readonly columns: readonly SelectColumn[]
  readonly embeds: readonly EmbeddedResource[]
  readonly filters: readonly Filter[]
  readonly logic: readonly LogicTree[]
  readonly order: readonly OrderTerm[]
  readonly range: Range
}

export interface EmbeddedResource {
  readonly embed: SelectEmbed
  readonly resource: Resource
}

/** Terms of a resource and of those embedded in it. */
export type Terms = Pick<Query, 'select' | 'filters' | 'logic' | 'order' | 'ranges'>

const ALL_ROWS: Range = { offset: 0, limit: undefined }

export const nameOf = ({ alias, relation }: SelectEmbed): string => alias ?? relation

/**
 * @throws RestError PGRST108 if a term names a resource that is not embedded
 */
export function readResource(terms: Terms): Resource {
  const embeds = terms.select.filter(item => item.kind === 'embed')
  return {
    columns: terms.select.filter(item => item.kind === 'column'),
    filters: ofItself(terms.filters),
    logic: ofItself(terms.logic),
    order: ofItself(terms.order).at(-1) ?? [],
    range: ofItself(terms.ranges).at(-1) ?? ALL_ROWS,
    embeds: distribute(terms, embeds).map(({ embed, ownTerms }) => ({
      embed,
      resource: readResource(ownTerms),
    })),
  }
}

const ofItself = <T>(all: readonly At<T>[]): readonly T[] =>
  all.filter(({ path }) => path.length === 0).map(({ value }) => value)

/** Of two resources with the name, the first gets the terms. */
function distribute(
  terms: Terms,
  embeds: readonly SelectEmbed[],
): readonly { embed: SelectEmbed; ownTerms: Terms }[] {
  const targetOf = (name: string): number => {
    const at = embeds.findIndex(({ alias, relation }) => relation === name || alias === name)
    if (at >= 0) return at
    throw new RestError({
      status: 400,
      code: 'PGRST108',
      message: `'${name}' is not an embedded resource in this request`,
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    })
  }
  const share = <T>(all: readonly At<T>[]): Map<number, At<T>[]> => {
    const shares = new Map<number, At<T>[]>()
    for (const { path, value } of all) {
      const [name, ...rest] = path
      if (name === undefined) continue
      const target = targetOf(name)
      const targetTerms = shares.get(target) ?? []
      shares.set(target, targetTerms)
      targetTerms.push({ path: rest, value })
    }
    return shares
  }
  const [filters, order, ranges, logic] = [
    share(terms.filters),
    share(terms.order),
    share(terms.ranges),
    share(terms.logic),
  ]
  return embeds.map((embed, at) => ({
    embed,
    ownTerms: {
      select: embed.select,
      filters: filters.get(at) ?? [],
      order: order.get(at) ?? [],
      ranges: ranges.get(at) ?? [],
      logic: logic.get(at) ?? [],
    },
  }))
}
