// The draft of a bucket and its validation; pure.
import { boolean, exactOptional, object, string, type GenericSchema } from 'valibot'
import type { Bucket } from './read-files.ts'

export interface BucketDraft {
  readonly id: string
  readonly isPublic: boolean
  /** Such as `50 MB`; empty for any size. */
  readonly size: string
  /** Such as `image/png, image/*`; empty for any type. */
  readonly types: string
}

/** The fields the user changed; other fields follow the bucket, which may change. */
export const writtenSchema: GenericSchema<unknown, Partial<BucketDraft>> = object({
  id: exactOptional(string()),
  isPublic: exactOptional(boolean()),
  size: exactOptional(string()),
  types: exactOptional(string()),
})

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/** Bytes of `2.5 MB`; undefined for empty text, NaN for an invalid size. */
export function bytesOf(text: string): number | undefined {
  if (text.trim() === '') return undefined
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  return number === '' || factor === undefined ? Number.NaN : Math.floor(Number(number) * factor)
}

/** The types, without duplicates. */
export const typesOf = (text: string): readonly string[] | undefined => {
  const types = text.split(/[\s,]+/).filter(Boolean)
  return types.length === 0 ? undefined : [...new Set(types.map(type => type.toLowerCase()))]
}

export const draftOf = (bucket: Bucket | undefined): BucketDraft => ({
  id: bucket?.id ?? '',
  isPublic: bucket?.isPublic ?? false,
  size: bucket?.maxBytes === undefined ? '' : String(bucket.maxBytes),
  types: bucket?.types?.join(', ') ?? '',
})

export type DraftFaults = Partial<Record<keyof BucketDraft, string>>

/** @param existingIds names of other buckets; empty when an existing bucket is edited */
export function draftFaults({ id, size, types }: BucketDraft, existingIds: readonly string[]): DraftFaults {
  const invalidType = typesOf(types)?.find(type => !/^[\w.+*-]+\/[\w.+*-]+$/.test(type))
  return {
    ...(!/^[\w.\- ]{1,100}$/.test(id) && {
      id: 'Use letters, digits, dots, dashes and spaces, at most 100.',
    }),
    ...(existingIds.includes(id) && { id: 'A bucket with this name already exists.' }),
    ...(Number.isNaN(bytesOf(size)) && { size: 'Enter a size such as 50 MB, or leave empty for any size.' }),
    ...(invalidType !== undefined && { types: `“${invalidType}” is not a type: use image/png or image/*.` }),
  }
}
