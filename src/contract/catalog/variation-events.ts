/** On `form.variations_form`. */
export const variationEvents = {
  /** Args: the chosen attributes, when known. */
  check: 'check_variations',
  /** Args: controller. */
  ready: 'wc_variation_form',
  updateValues: 'update_variation_values',
  valuesUpdated: 'woocommerce_update_variation_values',
  selectChange: 'woocommerce_variation_select_change',
  changed: 'woocommerce_variation_has_changed',
  /** Args: variation. */
  found: 'found_variation',
  /** From `.single_variation`. Args: variation, purchasable. */
  show: 'show_variation',
  /** From `.single_variation`. */
  hide: 'hide_variation',
  reset: 'reset_data',
  resetImage: 'reset_image',
  announceReset: 'announce_reset',
  clearAnnouncement: 'clear_reset_announcement',
  resetFocus: 'reset_focus',
  reload: 'reload_product_variations',
} as const
