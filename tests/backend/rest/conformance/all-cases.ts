// All cases, in the order of the documentation.
import { AGGREGATE_FUNCTIONS } from './aggregate_functions.cases.ts'
import { AUTH } from './auth.cases.ts'
import type { Case } from './case.ts'
import { COMPUTED_FIELDS } from './computed_fields.cases.ts'
import { DOMAIN_REPRESENTATIONS } from './domain_representations.cases.ts'
import { ERRORS } from './errors.cases.ts'
import { FUNCTIONS } from './functions.cases.ts'
import { MEDIA_TYPE_HANDLERS } from './media_type_handlers.cases.ts'
import { OPENAPI } from './openapi.cases.ts'
import { OPTIONS } from './options.cases.ts'
import { PAGINATION_COUNT } from './pagination_count.cases.ts'
import { PREFERENCES } from './preferences.cases.ts'
import { RESOURCE_EMBEDDING } from './resource_embedding.cases.ts'
import { RESOURCE_REPRESENTATION } from './resource_representation.cases.ts'
import { SCHEMAS } from './schemas.cases.ts'
import { TABLES_VIEWS } from './tables_views.cases.ts'
import { TRANSACTIONS } from './transactions.cases.ts'
import { URL_GRAMMAR } from './url_grammar.cases.ts'
import { WRITES } from './writes.cases.ts'

export const CASES: readonly Case[] = [
  ...TABLES_VIEWS,
  ...WRITES,
  ...URL_GRAMMAR,
  ...FUNCTIONS,
  ...RESOURCE_EMBEDDING,
  ...COMPUTED_FIELDS,
  ...DOMAIN_REPRESENTATIONS,
  ...AGGREGATE_FUNCTIONS,
  ...PAGINATION_COUNT,
  ...RESOURCE_REPRESENTATION,
  ...MEDIA_TYPE_HANDLERS,
  ...SCHEMAS,
  ...OPTIONS,
  ...PREFERENCES,
  ...TRANSACTIONS,
  ...ERRORS,
  ...AUTH,
  ...OPENAPI,
]
