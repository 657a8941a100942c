// What a statement reads: a tree of resources, each with what it returns, its conditions, order and range.
import type { Aggregate, JsonStep, Operation, Range } from '../request/index.ts'
import type { ColumnPair, Name } from '../schema/index.ts'

export interface ReadPlan {
  readonly source: Source
  /** The name of a row in the statement. */
  readonly alias: Alias
  /** The table or view whose rows these are, if it is known. */
  readonly table: Name
  readonly columns: readonly ColumnTerm[]
  readonly embeds: readonly Embed[]
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderPlan[]
  readonly range: Range
}

/** A table in the schema, or a name given to a source. */
export type Alias = { readonly table: Name } | { readonly name: string }

export type Source =
  | { readonly kind: 'table'; readonly table: Name }
  /** What the request's mutation or call has returned. */
  | { readonly kind: 'result' }
  /** A function of the parent's row. */
  | { readonly kind: 'function'; readonly function: Name; readonly row: Alias; readonly rowType: Name }

/** A column, or a part of its value. */
export interface FieldPlan {
  readonly name: string
  readonly jsonPath: readonly JsonStep[]
  /** Whether the value has to become JSON before the path applies. */
  readonly toJson: boolean
  /** A function that converts the value: its output, or the text that it is compared with. */
  readonly transform: string | undefined
  /** Whether full-text search needs no conversion of it. */
  readonly isTextVector: boolean
}

export interface ColumnTerm {
  readonly field: FieldPlan
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
  readonly castType: string | undefined
  readonly alias: string | undefined
  /** Of `count()` in a spread resource: counts its rows, without those that the join adds. */
  readonly countsRows: boolean
}

export type Condition =
  | {
      readonly kind: 'filter'
      readonly field: FieldPlan
      readonly isNegated: boolean
      readonly operation: Operation
    }
  | {
      readonly kind: 'logic'
      readonly isNegated: boolean
      readonly operator: 'and' | 'or'
      readonly parts: readonly Condition[]
    }
  /** Whether an embedded resource has rows. */
  | { readonly kind: 'embedded'; readonly embed: string; readonly isNull: boolean }

export interface OrderPlan {
  /** Name of the embedded resource whose field it is. */
  readonly embed: string | undefined
  readonly field: FieldPlan
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

export interface Embed {
  /** Names the joined rows in the statement of the parent. */
  readonly name: string
  readonly plan: ReadPlan
  readonly isToOne: boolean
  readonly isInner: boolean
  /** Pairs of a column of this resource or its junction, and of the parent. */
  readonly joins: readonly ColumnPair[]
  readonly junction: JunctionPlan | undefined
  readonly parent: Alias
  readonly output: EmbedOutput
}

export interface JunctionPlan {
  readonly table: Name
  /** Pairs of a column of this resource, and of the junction. */
  readonly joins: readonly ColumnPair[]
}

export type EmbedOutput =
  /** Joined, but not returned. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'json'; readonly key: string }
  | { readonly kind: 'spread'; readonly columns: readonly SpreadColumn[] }

/** A column of a spread resource in its parent. */
export interface SpreadColumn {
  /** `*` for all of them. */
  readonly name: string
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
  readonly alias: string | undefined
}
