// The decimal digits doubled from the right, without the zeros in front.
static void put_double(struct out *out, const char *digits, size_t count, int negative) {
    char doubled[LONGEST + 1];
    int carry = 0;
    size_t at = sizeof doubled;
    while (count > 0) {
        int twice = 2 * (digits[--count] - '0') + carry;
        doubled[--at] = (char)('0' + twice % 10);
        carry = twice / 10;
    }
    if (carry) doubled[--at] = '1';
    while (at < sizeof doubled - 1 && doubled[at] == '0') at++;
    if (negative && doubled[at] != '0') put(out, "-", 1);
    put(out, doubled + at, sizeof doubled - at);
}

// The job: the double of an integer of any size; `end` ends the connection.
static int answer(struct out *out, const char *line, size_t length) {
    if (length && line[length - 1] == '\r') length--;
    if (length == 3 && !memcmp(line, "end", 3)) return 0;
    size_t sign = length && line[0] == '-', digits = 0;
    while (sign + digits < length && line[sign + digits] >= '0' && line[sign + digits] <= '9') digits++;
    if (digits && sign + digits == length) {
        put_double(out, line + sign, digits, sign != 0);
    } else {
        put(out, "not an integer", 14);
    }
    put(out, "\n", 1);
    return 1;
}

