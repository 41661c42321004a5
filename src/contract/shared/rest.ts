/** Names of the platform's REST interface that both sides use, unchanged. */

export const restHeaders = {
  /** Proves that a request comes from a page of the shop. */
  nonce: 'X-WP-Nonce',
  /** The intended method of a POST, for networks that block others. */
  methodOverride: 'X-HTTP-Method-Override',
  /** The number of entries of a list, and of its pages. */
  total: 'X-WP-Total',
  totalPages: 'X-WP-TotalPages',
  /** On an upload that was stored but not finished: the id that finishes it. */
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

/** Maximum number of entries per page of a list. */
export const mostPerPage = 100

/** The call at the platform's own endpoint that returns a fresh nonce as plain text. */
export const restNonceAction = 'rest-nonce'

/** The location of the interface, and of a fresh nonce for it, on a page of the shop. */
export const restPlace = {
  root: '/wp-json/',
  nonceEndpoint: `/wp-admin/admin-ajax.php?action=${restNonceAction}`,
} as const

/** The only action after an upload: creates its sizes. */
export const postProcessAction = 'create-image-subsizes'
