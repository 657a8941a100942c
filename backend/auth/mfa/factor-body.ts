// A factor as the API returns it.
import { iso } from '../times.ts'

/** The columns of auth.mfa_factors visible to anyone who may see the user; times are ISO strings. */
export interface DescribedFactor {
  readonly id: string
  readonly user_id: string
  readonly friendly_name: string | null
  readonly factor_type: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly phone: string | null
  readonly last_challenged_at: string | null
}

/** The columns of `DescribedFactor`. */
export const DESCRIBED_COLUMNS =
  'id, user_id, friendly_name, factor_type::text, status::text, created_at, updated_at, phone, last_challenged_at'

export function describeFactor(factor: DescribedFactor): Record<string, unknown> {
  return {
    id: factor.id,
    created_at: iso(factor.created_at),
    updated_at: iso(factor.updated_at),
    status: factor.status,
    ...(factor.friendly_name ? { friendly_name: factor.friendly_name } : {}),
    factor_type: factor.factor_type,
    phone: factor.phone ?? '',
    last_challenged_at: iso(factor.last_challenged_at) ?? null,
  }
}
