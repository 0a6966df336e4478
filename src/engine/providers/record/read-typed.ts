// Addresses that people type in, as they are stored. null: it is none.

export const readNumber = (typed: string): string | null => {
  const number = typed.replaceAll(/[\s()/.-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
};

export const readUrl = (typed: string): string | null => {
  const text = typed.trim();
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && href.length <= 500 ? href : null;
};
