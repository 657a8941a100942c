// The records of buckets and objects, as the tables hold them.

/** What is known of a file's content; written at upload. */
export interface ObjectMetadata {
  readonly eTag: string
  readonly size: number
  readonly mimetype: string
  readonly cacheControl: string
  readonly lastModified: string
  readonly contentLength: number
  readonly httpStatusCode: number
}

export interface ObjectRow {
  readonly id: string
  readonly bucket_id: string
  readonly name: string
  readonly owner: string | null
  readonly version: string
  readonly metadata: ObjectMetadata
  readonly user_metadata: unknown
  readonly created_at: string
  readonly updated_at: string
  readonly last_accessed_at: string
}

export interface BucketRow {
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: string[] | null
  readonly created_at: string
  readonly updated_at: string
}

export interface Place {
  readonly bucket: string
  readonly name: string
}

/** Finds a record by bucket and name. */
export const FIND = 'select * from storage.objects where bucket_id = $1 and name = $2'
