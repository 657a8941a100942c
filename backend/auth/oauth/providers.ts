// The social providers that the auth server supports; all of them are simulated on this machine.

const TITLES = {
  apple: 'Apple',
  azure: 'Azure',
  bitbucket: 'Bitbucket',
  discord: 'Discord',
  facebook: 'Facebook',
  figma: 'Figma',
  fly: 'Fly',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  kakao: 'Kakao',
  keycloak: 'Keycloak',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  notion: 'Notion',
  slack: 'Slack',
  slack_oidc: 'Slack',
  snapchat: 'Snapchat',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'Twitter',
  vercel_marketplace: 'Vercel Marketplace',
  workos: 'WorkOS',
  x: 'X',
  zoom: 'Zoom',
} as const

export type ProviderName = keyof typeof TITLES

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(TITLES, name)
}

export function providerTitle(name: ProviderName): string {
  return TITLES[name]
}

/** Providers whose ID tokens the token endpoint accepts. */
const TAKES_ID_TOKENS: readonly ProviderName[] = [
  'apple',
  'azure',
  'facebook',
  'google',
  'kakao',
  'keycloak',
  'snapchat',
  'vercel_marketplace',
]

export function takesIdTokens(name: ProviderName): boolean {
  return TAKES_ID_TOKENS.includes(name)
}

const NAMES_ITS_USERS: readonly ProviderName[] = ['github', 'kakao', 'twitter', 'x']

/** Whether the provider's profiles have a user name in addition to the full name. */
export function hasUserNames(name: ProviderName): boolean {
  return NAMES_ITS_USERS.includes(name)
}

/** The client id under which this backend is registered at every simulated provider. */
export const CLIENT_ID = 'chartroom'
