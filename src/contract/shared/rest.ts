/** Names of the platform's REST interface that both sides use, in its own words. */

export const restHeaders = {
  /** Proves that a request comes from a page of the shop. */
  nonce: 'X-WP-Nonce',
  /** The method that is meant, where only POST passes. */
  methodOverride: 'X-HTTP-Method-Override',
  /** How many entries a list has, and on how many pages. */
  total: 'X-WP-Total',
  totalPages: 'X-WP-TotalPages',
  /** On an upload that was kept but not finished: what it is finished by. */
  attachment: 'X-WP-Upload-Attachment-ID',
} as const

export const restErrorCodes = {
  staleNonce: 'rest_cookie_invalid_nonce',
  invalidJson: 'invalid_json',
  unknown: 'unknown_error',
  fetch: 'fetch_error',
  postProcess: 'post_process',
} as const

/** Methods that may be sent as a POST that names them. */
export const overridableMethods: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/** Entries of one page of a list, at most. */
export const mostPerPage = 100

/** The call, at the platform's own door, that gives a fresh nonce as plain text. */
export const restNonceAction = 'rest-nonce'

/** Where a page of the shop finds the interface, and a fresh nonce for it. */
export const restPlace = {
  root: '/wp-json/',
  nonceEndpoint: `/wp-admin/admin-ajax.php?action=${restNonceAction}`,
} as const

/** The one thing that can be asked for after an upload: its sizes. */
export const postProcessAction = 'create-image-subsizes'
