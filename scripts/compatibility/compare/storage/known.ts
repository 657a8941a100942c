// Differences of the storage servers that stay, and why.
import type { KnownDifference } from '../report.ts'

const DISK = 'the original with files on disk refuses what S3, and this backend, answer with the whole file'

/** The first that matches counts. */
export const KNOWN_OF_STORAGE: readonly KnownDifference[] = [
  {
    pattern: /^storage-js: .*(?:\/render\/image\/|\.transformations)/,
    reason: 'the original was run without its server for images',
  },
  {
    pattern: /^storage-js: .*GET \/bucket \| body\.(?:statusCode|error|message|code) /,
    reason: 'in a project, the gateway adds a token to a request without one, as here',
  },
  {
    pattern: /^storage-js: .*GET \/bucket \| body\.\d/,
    reason: 'without a column to sort by, the original has no order; here it is that of the ids',
  },
  {
    pattern:
      /\| database error, code: 22023|\| DatabaseError |^who may: a private bucket: (?:9[5-9]|10\d|11[0-7])\./,
    reason: 'the original fails for a role that the database does not have',
  },
  {
    pattern: /header content-length \| absent/,
    reason: 'refusals of HEAD and empty responses have no length',
  },
  {
    pattern: /header content-type \| application\/json; charset=utf-8 \| application\/json$/,
    reason: 'here all JSON has an encoding',
  },
  { pattern: /^bucket settings: (?:3[7-9]|40)\./, reason: 'there is no limit for all buckets' },
  {
    pattern: /^lists of buckets: [4-7]\./,
    reason: 'without a column to sort by, the original has no order; here it is that of the ids',
  },
  {
    pattern: /^names of files: 3[01]\./,
    reason: 'a name of 1,200 characters is refused; the file system of the original fails',
  },
  {
    pattern: /^downloads: 1[57]\./,
    reason:
      'the original looks for the bucket and the file at once, and so may say which private files exist',
  },
  {
    pattern: /^ranges and conditions: \d+\. .*header content-range/,
    reason: 'says how large the file is, as HTTP asks',
  },
  { pattern: /^ranges and conditions: (?:9|1[0-4])\./, reason: DISK },
  {
    pattern: /^public downloads: 8\./,
    reason: 'the original answers HEAD for information about private files only',
  },
  { pattern: /^moves: 7\..*code/, reason: 'the original has another code for this refusal when moving' },
  { pattern: /^removal: 13\..* body\.\d/, reason: 'the original names removed files in no order' },
  {
    pattern: /^listings in pages: 15\./,
    reason: 'in descending order the original loses one of two folders whose names differ in case',
  },
  { pattern: /body\.nextCursor \|/, reason: 'the cursor is opaque' },
  {
    pattern: /^signed uploads: 18\./,
    reason: 'an invalid name is refused when the URL is signed, not when it is used',
  },
  { pattern: /OPTIONS \/upload\/resumable/, reason: 'the gateway answers preflights' },
  {
    pattern:
      /POST \/upload\/resumable \| header (?:content-type|location)|header content-type \| absent \| text\/plain/,
    reason: 'the location is a path, whose id does not tell the file; an empty response has no type',
  },
  { pattern: /header upload-metadata/, reason: 'metadata are returned as they were sent' },
  { pattern: /^resumable uploads: refusals: 4\./, reason: 'a type that is not named is checked, too' },
  { pattern: /^resumable uploads: refusals: 12\./, reason: 'the length must be known at the start' },
  { pattern: /^resumable uploads: refusals: 2[12]\./, reason: 'an unknown id is not found' },
]
