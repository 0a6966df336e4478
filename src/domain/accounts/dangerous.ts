// What a browser that stays signed in does not do by itself: people and their ways in, ways to be notified, sources, what deletes.

/** By the pattern of its route; what opens to strangers among them. What asks for the password itself is not among them. */
const DANGEROUS = [
  /^\/settings\/(members|wall|door-cards)\//,
  /^\/settings\/readings\/retention$/,
  /^\/settings\/sources\/(?!:source_id\/try$)/,
  /^\/settings\/delivery\/(?!try\/)/,
  /^\/settings\/.*\/(delete|archive|forget|remove-(email|member|webhook|relay|step)|(add|disable)-webhook|unplace)$/,
  /^\/services\/many\/archive$/,
  /^\/profile\/contacts\/(add|push|:method_id\/(change|remove))$/,
  /^\/profile\/passkeys\/:passkey_id\/remove$/,
];

export const isDangerous = (route: string): boolean => DANGEROUS.some((pattern) => pattern.test(route));
